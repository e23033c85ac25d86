import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientAdminService,
  type CreateClientRequest,
  type CreateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { recordChangeOf } from '../audit/record-change.ts';
import { newId } from '../kernel/ids.ts';
import { checkedTimeZone } from './checked-time-zone.ts';
import { toClientMessage } from './client-message.ts';
import { callerLacksSecondFactor, requireOwnFactor } from './second-factor/required-factor.ts';
import { type ClientEntity, clientTable } from './client.entity.ts';
import type { Call } from './call.ts';

/** Creates a client without credentials: proto ClientAdminService.CreateClient. */
export async function createClient(
  { db, principal }: Call,
  request: CreateClientRequest,
): Promise<MessageInitShape<typeof CreateClientResponseSchema>> {
  const timeZone = checkedTimeZone(request.timeZone ?? 'UTC');
  const requireSecondFactor = request.requireSecondFactor ?? false;
  if (requireSecondFactor) requireOwnFactor(await callerLacksSecondFactor(db, principal));
  return db.systemUnitOfWork(async (uow) => {
    const { name, backfillDaysMax = 0, badgesInRewardsWebhook = false, outlierThreshold = 0 } = request;
    const settings = { requireSecondFactor, backfillDaysMax, badgesInRewardsWebhook, outlierThreshold };
    const client = uow.em.create(clientTable, { id: newId(), name, timeZone, ...settings }) as ClientEntity;
    await uow.em.flush();
    const after = toClientMessage(client);
    const operation = ClientAdminService.method.createClient;
    await recordChangeOf(uow, client.id, principal, { operation, schema: ClientSchema, id: client.id, after });
    return { client: after };
  });
}
