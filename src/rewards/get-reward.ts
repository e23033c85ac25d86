import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetRewardRequest, GetRewardResponseSchema } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Principal } from '../clients/principal.ts';
import { notFound } from '../kernel/domain-error.ts';
import type { Database } from '../persistence/database.ts';
import { rewardInit } from './reward-init.ts';
import { loadRewards } from './rewards.queries.ts';

/** Gives one reward: proto RewardAdminService.GetReward. */
export function getReward(
  db: Database,
  principal: Principal,
  { id }: GetRewardRequest,
): Promise<MessageInitShape<typeof GetRewardResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const [reward] = (await loadRewards(uow, [id])).values();
    if (reward === undefined) throw notFound('REWARD', `There is no reward ${id}.`);
    return { reward: rewardInit(reward) };
  });
}
