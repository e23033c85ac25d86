import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreateClientRequest,
  CreateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { newId } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';
import { checkedTimeZone } from './checked-time-zone.ts';
import { clientMessage } from './client-message.ts';
import { type ClientEntity, clientTable } from './client.entity.ts';

/** Creates a tenant, with no credential yet: proto ClientAdminService.CreateClient. */
export function createClient(
  db: Database,
  request: CreateClientRequest,
): Promise<MessageInitShape<typeof CreateClientResponseSchema>> {
  const timeZone = checkedTimeZone(request.timeZone ?? 'UTC');
  return db.systemUnitOfWork(async (uow) => {
    const client = uow.em.create(clientTable, { id: newId(), name: request.name, timeZone }) as ClientEntity;
    await uow.em.flush();
    return { client: clientMessage(client) };
  });
}
