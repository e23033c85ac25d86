import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  RewardAdminService,
  type UpdateRewardRequest,
  type UpdateRewardResponseSchema,
} from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Reward_OnReversalSchema, RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { checkedText } from '../../kernel/text.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { toManagedRewardMessage } from './reward-message.ts';
import { requireReward, rewardEntity } from './rewards.queries.ts';

/** Renames a reward, and changes the consequence of reversals: proto RewardAdminService.UpdateReward. */
export async function updateReward(
  { db, principal, now }: Call,
  request: UpdateRewardRequest,
): Promise<MessageInitShape<typeof UpdateRewardResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const change = { operation: RewardAdminService.method.updateReward, schema: RewardSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const reward = await requireReward(uow, request.id);
    await requireVersion(uow, RewardSchema, reward, request.version);
    const version = reward.version + 1;
    const onReversal = enumName(Reward_OnReversalSchema, request.onReversal) ?? reward.onReversal;
    uow.em.assign(await rewardEntity(uow, reward), { name, onReversal, version, updatedAt: now });
    await uow.em.flush();
    const before = toManagedRewardMessage(reward);
    const after = toManagedRewardMessage({ ...reward, name, onReversal, version });
    return { id: reward.id, before, after };
  });
  return { reward: after };
}
