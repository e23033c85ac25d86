import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetClientRequest, GetClientResponseSchema } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { toClientMessage } from './client-message.ts';
import type { Call } from './call.ts';
import { requireClient, visibleClientId } from './visible-client.ts';

/** Returns one client, to its own administrators and those of the service: proto ClientAdminService.GetClient. */
export async function getClient(
  { db, principal }: Call,
  { id }: GetClientRequest,
): Promise<MessageInitShape<typeof GetClientResponseSchema>> {
  return db.unitOfWork(visibleClientId(principal, id), async (uow) => ({
    client: toClientMessage(await requireClient(uow)),
  }));
}
