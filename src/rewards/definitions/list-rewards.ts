import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRewardsRequest,
  ListRewardsResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { loadRewards, rewardPage } from './rewards.queries.ts';

/** Lists rewards by page, by name: proto RewardAdminService.ListRewards. */
export function listRewards(
  db: Database,
  principal: Principal,
  request: ListRewardsRequest,
): Promise<MessageInitShape<typeof ListRewardsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await rewardPage(uow, request);
    const rewards = await loadRewards(
      uow,
      page.rows.map(({ id }) => id),
    );
    return { ...page, rows: page.rows.map(({ id }) => toManagedRewardMessage(rewards.get(id)!)) };
  });
}
