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
import { refuseForeignFields, textOrNone } from './typed-fields.ts';

/** Renames a reward, and changes the consequence of reversals and what a badge shows: proto RewardAdminService.UpdateReward. */
export async function updateReward(
  { db, principal, now }: Call,
  request: UpdateRewardRequest,
): Promise<MessageInitShape<typeof UpdateRewardResponseSchema>> {
  const name = checkedText(request.name, '`name`');
  const change = { operation: RewardAdminService.method.updateReward, schema: RewardSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const reward = await requireReward(uow, request.id);
    await requireVersion(uow, RewardSchema, reward, request.version);
    refuseForeignFields(request, reward.type);
    const changed = {
      name,
      onReversal: enumName(Reward_OnReversalSchema, request.onReversal) ?? reward.onReversal,
      imageUrl: replaced(request.imageUrl, reward.imageUrl, '`imageUrl`'),
      description: replaced(request.description, reward.description, '`description`'),
      secret: request.secret ?? reward.secret,
      version: reward.version + 1,
    };
    const { imageUrl = null, description = null, secret = null, ...others } = changed;
    uow.em.assign(await rewardEntity(uow, reward), { ...others, imageUrl, description, secret, updatedAt: now });
    await uow.em.flush();
    const before = toManagedRewardMessage(reward);
    const after = toManagedRewardMessage({ ...reward, ...changed });
    return { id: reward.id, before, after };
  });
  return { reward: after };
}

/** The new text: an absent one stays, and an empty one is removed. */
function replaced(sent: string | undefined, stored: string | undefined, subject: string): string | undefined {
  return sent === undefined ? stored : textOrNone(sent, subject);
}
