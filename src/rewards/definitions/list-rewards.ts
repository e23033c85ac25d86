import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRewardsRequest,
  ListRewardsResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { loadRewards, rewardPage } from './rewards.queries.ts';

/** Lists rewards by page, by name: proto RewardAdminService.ListRewards. */
export function listRewards(
  { db, principal }: Call,
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
