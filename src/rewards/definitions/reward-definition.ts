import type { CreateRewardRequest } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Product } from '../products/product.ts';
import { type RewardType, rewardTypes, type TypedField } from './reward-types.ts';

/** What an account can earn, with what delivering it needs to know. The fields that only some types have are those of the proto. */
export type RewardDefinition = {
  readonly id: string;
  readonly name: string;
  readonly type: RewardType;
  /** As the rules of its type allow. */
  readonly amount: Amount;
  /** What `productId` names. A product's mode and pieces never change. */
  readonly product?: Product | undefined;
  /** Raised by every change. */
  readonly version: number;
  /** When it was archived: what names it still delivers it, and nothing new may name it. */
  readonly archivedAt?: Date | undefined;
} & { readonly [Field in Exclude<TypedField, 'productId'>]?: CreateRewardRequest[Field] };

/** A definition with every field stated, so that one that the proto gains does not compile until it is filled. */
export type WholeDefinition = { readonly [Field in keyof Required<RewardDefinition>]: RewardDefinition[Field] };

/** A whole amount as a number: units, pieces or chests. */
export function wholeAmount({ amount }: Pick<RewardDefinition, 'amount'>): number {
  return Number(amount / ONE);
}

/** Units of its product that a reward hands out; 0 for pieces, which make units only together, and what has no product. */
export function unitsOfReward(reward: Pick<RewardDefinition, 'type' | 'amount'>): number {
  return rewardTypes[reward.type].stock === 'units' ? wholeAmount(reward) : 0;
}
