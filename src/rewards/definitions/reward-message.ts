import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Reward, Reward_OnReversal, Reward_Type, type RewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { RewardDefinition } from './reward-definition.ts';
import type { TypedField } from './reward-types.ts';

/** The fields that not every type has: each is required here, so that a new one does not compile until it is mapped. */
type TypedFields = { readonly [Field in TypedField]: Reward[Field] };

/** A reward definition as accounts see it, which may not have earned it yet: a secret badge has no name, picture and text. */
export function toRewardMessage(reward: RewardDefinition): MessageInitShape<typeof RewardSchema> {
  const message = wholeMessage(reward);
  return reward.secret ? { ...message, name: '', imageUrl: undefined, description: undefined } : message;
}

function wholeMessage(reward: RewardDefinition): MessageInitShape<typeof RewardSchema> & TypedFields {
  return {
    id: reward.id,
    name: reward.name,
    type: Reward_Type[reward.type],
    amount: amountToNumber(reward.amount),
    productId: reward.product?.id,
    chestId: reward.chestId,
    expiresInDays: reward.expiresInDays,
    amountExpression: reward.amountExpression,
    amountMax: reward.amountExpression === undefined ? undefined : amountToNumber(reward.amount),
    imageUrl: reward.imageUrl,
    description: reward.description,
    secret: reward.secret,
  };
}

/** A reward definition as operators see it. */
export function toManagedRewardMessage(reward: RewardDefinition): MessageInitShape<typeof RewardSchema> {
  const { version, archivedAt, onReversal } = reward;
  const managed = { version, onReversal: Reward_OnReversal[onReversal] };
  return { ...wholeMessage(reward), ...managed, archivedAt: archivedAt && timestampFromDate(archivedAt) };
}
