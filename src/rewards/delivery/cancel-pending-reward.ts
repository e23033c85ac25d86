import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelPendingRewardRequest,
  type CancelPendingRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { checkedText } from '../../kernel/text.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { dropFromQueue } from './earned-rewards.queries.ts';
import { type LockedPending, lockPending } from './pending-reward.ts';
import { restock } from './restock.ts';
import { announceSettled } from './reward-webhooks.ts';
import { saveStocks } from '../products/stock.queries.ts';

/**
 * Takes away an earned reward that waits for stock: proto RewardAdminService.CancelPendingReward.
 * @param dispatcher is told once the call is answered: the reward may be the last for which a closing waits to be told
 */
export async function cancelPendingReward(
  call: Call,
  request: CancelPendingRewardRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof CancelPendingRewardResponseSchema>> {
  const { db, principal, now } = call;
  const id = request.id.toLowerCase();
  const note = checkedText(request.reason, '`reason`');
  const { reward, stock } = await db.unitOfWork(principal.clientId, async (uow) => {
    const cancelled = await leaveQueue(uow, id, now);
    const before = toEarnedRewardMessage(cancelled.reward);
    const operation = RewardAdminService.method.cancelPendingReward;
    await recordChange(uow, principal, { operation, schema: EarnedRewardSchema, id, before, note });
    return cancelled;
  });
  call.afterResponse(() => dispatcher.wake(principal.clientId));
  // It kept no units from anybody. But where a restock did not come to its end, this is a good moment to go on.
  await restock(db, principal.clientId, stock.product, undefined, now);
  return { reward: toEarnedRewardMessage(reward) };
}

async function leaveQueue(uow: UnitOfWork, id: string, now: Date): Promise<LockedPending> {
  const pending = await lockPending(uow, id);
  pending.stock.waiting -= 1;
  await dropFromQueue(uow, [id]);
  await saveStocks(uow, [pending.stock], now);
  await announceSettled(uow, [pending.reward]);
  return pending;
}
