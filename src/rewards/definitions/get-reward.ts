import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetRewardRequest,
  GetRewardResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { requireReward } from './rewards.queries.ts';

/** Gives one reward: proto RewardAdminService.GetReward. */
export function getReward(
  db: Database,
  principal: Principal,
  { id }: GetRewardRequest,
): Promise<MessageInitShape<typeof GetRewardResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    reward: toManagedRewardMessage(await requireReward(uow, id)),
  }));
}
