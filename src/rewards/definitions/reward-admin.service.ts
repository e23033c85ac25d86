import type { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { archiveReward } from './archive-reward.ts';
import type { UsesAbove } from './uses.queries.ts';
import { cancelPendingReward } from '../delivery/cancel-pending-reward.ts';
import { deliverPendingReward } from '../delivery/deliver-pending-reward.ts';
import { listRewardEarnedRewards } from '../delivery/list-reward-earned-rewards.ts';
import { listPendingRewards } from '../delivery/list-pending-rewards.ts';
import { createReward, type FormulaCheck } from './create-reward.ts';
import { getReward } from './get-reward.ts';
import { listRewards } from './list-rewards.ts';
import { updateReward } from './update-reward.ts';

/**
 * The operations of operators on reward definitions and pending rewards. Their delivery may close campaigns, whose webhooks `dispatcher`
 * sends.
 * @param usesAbove finds the uses that prevent the archiving of a reward
 * @param checkFormula checks the expression of a reward's amount
 */
export function rewardAdminService(
  dispatcher: Pick<Dispatcher, 'wake'>,
  usesAbove: UsesAbove,
  checkFormula: FormulaCheck,
) {
  return {
    createReward: (call, request) => createReward(call, request, checkFormula),
    getReward: (call, request) => getReward(call, request, usesAbove),
    listRewards,
    updateReward,
    archiveReward: (call, request) => archiveReward(call, request, usesAbove),
    listPendingRewards,
    listRewardEarnedRewards,
    cancelPendingReward: (call, request) => cancelPendingReward(call, request, dispatcher),
    deliverPendingReward: (call, request) => deliverPendingReward(call, request, dispatcher),
  } satisfies Handlers<typeof RewardAdminService>;
}
