import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetRewardRequest,
  GetRewardResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { NAMED_MAX } from '../../kernel/errors/in-use.ts';
import { allUsesOfReward, type UsesAbove } from './uses.queries.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { requireReward } from './rewards.queries.ts';

/** Returns one reward: proto RewardAdminService.GetReward. */
export function getReward(
  { db, principal, now }: Call,
  { id }: GetRewardRequest,
  usesAbove: UsesAbove,
): Promise<MessageInitShape<typeof GetRewardResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const reward = await requireReward(uow, id);
    const uses = await allUsesOfReward(uow, reward.id, usesAbove, now);
    return { reward: toManagedRewardMessage(reward), uses: uses.slice(0, NAMED_MAX).map(String) };
  });
}
