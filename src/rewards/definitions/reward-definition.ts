import { type Amount, ONE } from '../../kernel/amount.ts';
import type { Product } from '../products/product.ts';
import { type RewardType, rewardTypes } from './reward-types.ts';

/** What an account can earn, with what delivering it needs to know. */
export type RewardDefinition = {
  readonly id: string;
  readonly name: string;
  readonly type: RewardType;
  /** Units, pieces, points or chests; whole numbers except for points. */
  readonly amount: Amount;
  /** For PRODUCTS and FRAGMENTS. A product's mode and pieces never change. */
  readonly product?: Product | undefined;
  /** For CHEST: the chest's definition. */
  readonly chestId?: string | undefined;
  /** Days of 24 hours after which POINTS expire; undefined means never. */
  readonly expiresInDays?: number | undefined;
  /** Raised by every change. */
  readonly version: number;
  /** When it was archived: what names it still delivers it, and nothing new may name it. */
  readonly archivedAt?: Date | undefined;
};

/** A whole amount as a number: units, pieces or chests. */
export function wholeAmount({ amount }: Pick<RewardDefinition, 'amount'>): number {
  return Number(amount / ONE);
}

/** Units of its product that a reward hands out; 0 for pieces, which make units only together, and what has no product. */
export function unitsOfReward(reward: Pick<RewardDefinition, 'type' | 'amount'>): number {
  return rewardTypes[reward.type].isUnits ? wholeAmount(reward) : 0;
}
