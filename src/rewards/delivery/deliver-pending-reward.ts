import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeliverPendingRewardRequest,
  type DeliverPendingRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { checkedText } from '../../kernel/text.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { unitsNotFree } from '../products/stock.ts';
import type { Delivery } from './delivery.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { type LockedPending, lockPending } from './pending-reward.ts';
import { restock } from './restock.ts';
import { serveWaiting } from './serve-waiting.ts';

/**
 * Delivers an earned reward that waits for stock before those who came first: proto RewardAdminService.DeliverPendingReward.
 * @param dispatcher is told once the call is answered: the delivery may close a campaign
 */
export async function deliverPendingReward(
  call: Call,
  request: DeliverPendingRewardRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<MessageInitShape<typeof DeliverPendingRewardResponseSchema>> {
  const { db, principal, now } = call;
  const id = request.id.toLowerCase();
  const note = checkedText(request.reason, '`reason`');
  const { delivery, product } = await db.unitOfWork(principal.clientId, async (uow) => {
    const pending = await lockPending(uow, id);
    const served = await serveAlone(uow, pending, now);
    const [before, after] = [toEarnedRewardMessage(pending.reward), toEarnedRewardMessage(served)];
    const operation = RewardAdminService.method.deliverPendingReward;
    await recordChange(uow, principal, { operation, schema: EarnedRewardSchema, id, before, after, note });
    return { delivery: served, product: pending.stock.product };
  });
  call.afterResponse(() => dispatcher.wake(principal.clientId));
  // Only a restock that is under way leaves units for somebody who waits: what remains is for those who came first.
  await restock(db, principal.clientId, product, undefined, now);
  return { reward: toEarnedRewardMessage(delivery) };
}

async function serveAlone(uow: UnitOfWork, { reward, stock, hasAccount }: LockedPending, now: Date): Promise<Delivery> {
  if (!hasAccount) {
    const message = `The account ${reward.accountId} was deleted. Cancel the reward instead.`;
    throw new DomainError('ACCOUNT_NOT_FOUND', message);
  }
  const alive = new Set([reward.accountId]);
  const [delivery] = (await serveWaiting(uow, { stock, waiting: [reward], alive }, now)).delivered;
  if (delivery !== undefined) return delivery;
  throw unitsNotFree(stock, `The reward needs ${reward.unitsNeeded ?? 0}. Add units to the product first.`);
}
