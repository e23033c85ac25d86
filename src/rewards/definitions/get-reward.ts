import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetRewardRequest,
  GetRewardResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { requireReward } from './rewards.queries.ts';

/** Gives one reward: proto RewardAdminService.GetReward. */
export function getReward(
  { db, principal }: Call,
  { id }: GetRewardRequest,
): Promise<MessageInitShape<typeof GetRewardResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    reward: toManagedRewardMessage(await requireReward(uow, id)),
  }));
}
