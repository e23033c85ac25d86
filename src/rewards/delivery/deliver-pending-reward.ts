import {
  type DeliverPendingRewardRequest,
  type DeliverPendingRewardResponse,
  DeliverPendingRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { unitsNotFree } from '../products/stock/stock.ts';
import type { DeliveredReward } from './earned-reward.ts';
import { changePending, type LockedPending } from './pending-reward.ts';
import { fulfilQueue } from './fulfil-queue.ts';

/**
 * Delivers a pending reward before the others in its queue: proto RewardAdminService.DeliverPendingReward. Free units exist for it
 * only during a restock.
 */
export function deliverPendingReward(
  call: Call,
  request: DeliverPendingRewardRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<DeliverPendingRewardResponse> {
  const operation = RewardAdminService.method.deliverPendingReward;
  return changePending(
    call,
    request,
    { schema: DeliverPendingRewardResponseSchema, answerWith: (reward) => ({ reward }) },
    { operation, dispatcher, work: deliverOne },
  );
}

async function deliverOne(
  uow: UnitOfWork,
  { reward, stock, hasAccount }: LockedPending,
  now: Date,
): Promise<DeliveredReward> {
  if (!hasAccount) {
    const message = sentence`The account ${reward.accountId} was deleted. Cancel the reward instead.`;
    throw new DomainError('ACCOUNT_NOT_FOUND', message);
  }
  const alive = new Set([reward.accountId]);
  const [delivery] = (await fulfilQueue(uow, { stock, waiting: [reward], alive }, now)).delivered;
  if (delivery !== undefined) return delivery;
  throw unitsNotFree(stock, sentence`The reward needs ${reward.unitsNeeded}. Add units to the product first.`);
}
