import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreateClientRequest,
  CreateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { isTimeZone } from '../engine/time-zone.ts';
import { badRequest } from '../kernel/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';
import { clientMessage } from './client-message.ts';
import { type ClientEntity, clientTable } from './client.entity.ts';

/** Creates a tenant, with no credential yet: proto ClientAdminService.CreateClient. */
export function createClient(
  db: Database,
  { name, timeZone = 'UTC' }: CreateClientRequest,
): Promise<MessageInitShape<typeof CreateClientResponseSchema>> {
  if (!isTimeZone(timeZone)) throw badRequest(`timeZone '${timeZone}' is unknown. Send an IANA name such as Europe/Madrid.`);
  return db.systemUnitOfWork(async (uow) => {
    const client = uow.em.create(clientTable, { id: newId(), name, timeZone }) as ClientEntity;
    await uow.em.flush();
    return { client: clientMessage(client) };
  });
}
