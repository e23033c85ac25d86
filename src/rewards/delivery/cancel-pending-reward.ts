import {
  type CancelPendingRewardRequest,
  type CancelPendingRewardResponse,
  CancelPendingRewardResponseSchema,
  RewardAdminService,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { saveStocks } from '../products/stock/stock.queries.ts';
import { dropFromQueue } from './earned-rewards.queries.ts';
import { changePending, type LockedPending } from './pending-reward.ts';
import { announceSettled } from './reward-webhooks.ts';

/** Cancels a pending reward: proto RewardAdminService.CancelPendingReward. */
export function cancelPendingReward(
  call: Call,
  request: CancelPendingRewardRequest,
  dispatcher: Pick<Dispatcher, 'wake'>,
): Promise<CancelPendingRewardResponse> {
  const operation = RewardAdminService.method.cancelPendingReward;
  return changePending(
    call,
    request,
    { schema: CancelPendingRewardResponseSchema, answerWith: (reward) => ({ reward }) },
    { operation, dispatcher, work: cancel },
  );
}

async function cancel(uow: UnitOfWork, { reward, stock }: LockedPending, now: Date): Promise<undefined> {
  stock.waiting -= 1;
  await dropFromQueue(uow, [reward]);
  await saveStocks(uow, [stock], now);
  await announceSettled(uow, [reward]);
}
