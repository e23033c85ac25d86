import type { CreateRewardRequest } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Product } from '../products/product.ts';
import { type OnReversal, type RewardType, rewardTypeRules, type TypedField } from './reward-types.ts';

/** A reward that an account can earn, with the facts for its delivery. The fields that not every type has are those of the proto. */
export type RewardDefinition = {
  readonly id: string;
  readonly name: string;
  readonly type: RewardType;
  /** A multiple of the step of its type, up to the maximum of its type. With `amountExpression`, the most that it pays. */
  readonly amount: Amount;
  /** The product with the id `productId`. A product's mode and pieces never change. */
  readonly product?: Product | undefined;
  /** The consequence of a reversal. */
  readonly onReversal: OnReversal;
  /** Increases with every change. */
  readonly version: number;
  /** The time of archiving. Campaigns and missions that refer to it still deliver it; new ones may not refer to it. */
  readonly archivedAt?: Date | undefined;
} & { readonly [Field in Exclude<TypedField, 'productId' | 'amountMax'>]?: CreateRewardRequest[Field] };

/** A definition with every field required, so that a new field of the proto does not compile until it has a value. */
export type WholeDefinition = { readonly [Field in keyof Required<RewardDefinition>]: RewardDefinition[Field] };

/** A whole amount as a number: units, pieces or chests. */
export function wholeAmount({ amount }: Pick<RewardDefinition, 'amount'>): number {
  return Number(amount / ONE);
}

/** The units of its product in a reward; 0 for pieces, of which several make a unit, and for rewards without a product. */
export function unitsOfReward(reward: Pick<RewardDefinition, 'type' | 'amount'>): number {
  return rewardTypeRules[reward.type].stock === 'units' ? wholeAmount(reward) : 0;
}
