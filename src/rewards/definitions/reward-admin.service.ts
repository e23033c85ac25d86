import type { ServiceImpl } from '@connectrpc/connect';
import type { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { archiveReward, type UsesAbove } from './archive-reward.ts';
import { cancelPendingReward } from '../delivery/cancel-pending-reward.ts';
import { createReward } from './create-reward.ts';
import { getReward } from './get-reward.ts';
import { listRewards } from './list-rewards.ts';
import { updateReward } from './update-reward.ts';

/** Reward definitions. @param usesAbove asked before one is archived */
export function rewardAdminService(db: Database, clock: Clock, usesAbove: UsesAbove) {
  return {
    createReward: (request, context) => createReward(db, principalOf(context), request),
    getReward: (request, context) => getReward(db, principalOf(context), request),
    listRewards: (request, context) => listRewards(db, principalOf(context), request),
    updateReward: (request, context) => updateReward(db, principalOf(context), request, clock()),
    archiveReward: (request, context) => archiveReward(db, principalOf(context), request, clock(), usesAbove),
    cancelPendingReward: (request, context) => cancelPendingReward(db, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof RewardAdminService>;
}
