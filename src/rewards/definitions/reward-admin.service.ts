import type { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { archiveReward, type UsesAbove } from './archive-reward.ts';
import { cancelPendingReward } from '../delivery/cancel-pending-reward.ts';
import { createReward } from './create-reward.ts';
import { getReward } from './get-reward.ts';
import { listRewards } from './list-rewards.ts';
import { updateReward } from './update-reward.ts';

/** Reward definitions. @param usesAbove asked before one is archived */
export function rewardAdminService(usesAbove: UsesAbove) {
  return {
    createReward,
    getReward,
    listRewards,
    updateReward,
    archiveReward: (call, request) => archiveReward(call, request, usesAbove),
    cancelPendingReward,
  } satisfies Handlers<typeof RewardAdminService>;
}
