import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientAdminService,
  type UpdateClientRequest,
  type UpdateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { withZone } from '../kernel/zone-history.ts';
import { requireVersion } from '../audit/require-version.ts';
import { changeCatalog } from './change-catalog.ts';
import { checkedTimeZone } from './checked-time-zone.ts';
import { toClientMessage } from './client-message.ts';
import type { Call } from './call.ts';
import { requireClient, visibleClientId } from './visible-client.ts';

/** Replaces name and time zone of a client: proto ClientAdminService.UpdateClient. */
export async function updateClient(
  { db, principal, now }: Call,
  request: UpdateClientRequest,
): Promise<MessageInitShape<typeof UpdateClientResponseSchema>> {
  const timeZone = checkedTimeZone(request.timeZone);
  const change = { operation: ClientAdminService.method.updateClient, schema: ClientSchema };
  const ofClient = { ...principal, clientId: visibleClientId(principal, request.id) };
  const { after } = await changeCatalog(db, ofClient, change, async (uow) => {
    const client = await requireClient(uow);
    await requireVersion(uow, ClientSchema, client, request.version);
    const before = toClientMessage(client);
    const zones = { timeZone: client.timeZone, past: client.pastZones };
    const { past: pastZones } = withZone(zones, timeZone, now);
    uow.em.assign(client, { name: request.name, timeZone, pastZones, version: client.version + 1 });
    await uow.em.flush();
    const after = toClientMessage(client);
    return { id: client.id, before, after };
  });
  return { client: after };
}
