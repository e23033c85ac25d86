import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetClientRequest, GetClientResponseSchema } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Database } from '../persistence/database.ts';
import { toClientMessage } from './client-message.ts';
import type { Principal } from './principal.ts';
import { requireClient, visibleClientId } from './visible-client.ts';

/** Gives one client, to its own administrators and to those of the service: proto ClientAdminService.GetClient. */
export async function getClient(
  db: Database,
  principal: Principal,
  { id }: GetClientRequest,
): Promise<MessageInitShape<typeof GetClientResponseSchema>> {
  return db.unitOfWork(visibleClientId(principal, id), async (uow) => ({
    client: toClientMessage(await requireClient(uow)),
  }));
}
