import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetClientRequest, GetClientResponseSchema } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Database } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';
import { clientMessage } from './client-message.ts';
import { clientTable } from './client.entity.ts';

/** Gives one client: proto ClientAdminService.GetClient. */
export function getClient(
  db: Database,
  { id }: GetClientRequest,
): Promise<MessageInitShape<typeof GetClientResponseSchema>> {
  return db.systemUnitOfWork(async (uow) => {
    const client = await uow.em.findOne(clientTable, { id: id.toLowerCase() });
    if (!client) throw clientNotFound(id);
    return { client: clientMessage(client) };
  });
}
