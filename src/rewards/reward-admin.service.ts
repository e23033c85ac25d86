import type { ServiceImpl } from '@connectrpc/connect';
import type { RewardAdminService } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { createReward } from './create-reward.ts';
import { getReward } from './get-reward.ts';
import { listRewards } from './list-rewards.ts';

/** Reward definitions. */
export function rewardAdminService(db: Database) {
  return {
    createReward: (request, context) => createReward(db, principalOf(context), request),
    getReward: (request, context) => getReward(db, principalOf(context), request),
    listRewards: (request, context) => listRewards(db, principalOf(context), request),
  } satisfies Partial<ServiceImpl<typeof RewardAdminService>>;
}
