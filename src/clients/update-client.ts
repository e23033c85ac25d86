import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientAdminService,
  type UpdateClientRequest,
  type UpdateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireVersion } from '../audit/require-version.ts';
import type { Database } from '../persistence/database.ts';
import { bumpCatalogVersion, holdCatalog } from './catalog-version.ts';
import { checkedTimeZone } from './checked-time-zone.ts';
import { toClientMessage } from './client-message.ts';
import type { Principal } from './principal.ts';
import { requireClient, visibleClientId } from './visible-client.ts';

/** Replaces name and time zone of a client: proto ClientAdminService.UpdateClient. */
export async function updateClient(
  db: Database,
  principal: Principal,
  request: UpdateClientRequest,
): Promise<MessageInitShape<typeof UpdateClientResponseSchema>> {
  const timeZone = checkedTimeZone(request.timeZone);
  return db.unitOfWork(visibleClientId(principal, request.id), async (uow) => {
    await holdCatalog(uow);
    const client = await requireClient(uow);
    await requireVersion(uow, ClientSchema, client, request.version);
    const before = toClientMessage(client);
    uow.em.assign(client, { name: request.name, timeZone, version: client.version + 1 });
    await uow.em.flush();
    await bumpCatalogVersion(uow);
    const after = toClientMessage(client);
    const operation = ClientAdminService.method.updateClient;
    await recordChange(uow, principal, { operation, schema: ClientSchema, id: client.id, before, after });
    return { client: after };
  });
}
