import type { RewardType } from '../../src/rewards/definitions/reward-types.ts';

/** What the amount of each type is, in the books of the model. */
export const brings: Readonly<Record<RewardType, 'points' | 'pieces' | 'units' | 'chests'>> = {
  POINTS: 'points',
  FRAGMENTS: 'pieces',
  PRODUCTS: 'units',
  CHEST: 'chests',
};

/** What a reward brings, in the words of the digests: `POINTS 20`. */
export type Prize = {
  readonly type: RewardType;
  readonly amount: number;
  readonly days?: number;
  /** Units of mugs, of which publications have some, instead of coupons. */
  readonly of?: 'mug';
};

/** What the n-th event of an account earns. The world defines its missions by it. */
export const series: readonly Prize[] = [
  { type: 'POINTS', amount: 40, days: 1 },
  { type: 'CHEST', amount: 1 },
  { type: 'FRAGMENTS', amount: 2 },
  { type: 'PRODUCTS', amount: 1 },
  { type: 'FRAGMENTS', amount: 2 },
  { type: 'PRODUCTS', amount: 2 },
  { type: 'PRODUCTS', amount: 3, of: 'mug' },
  { type: 'POINTS', amount: 25 },
  { type: 'PRODUCTS', amount: 1, of: 'mug' },
  { type: 'CHEST', amount: 2 },
];
/** What the last rung brings in addition, and what a claim brings after {@link CLAIM_TARGET} events. */
export const completion: readonly Prize[] = [{ type: 'POINTS', amount: 10 }];
export const claimed: readonly Prize[] = [
  { type: 'POINTS', amount: 6 },
  { type: 'PRODUCTS', amount: 3 },
];
export const CLAIM_TARGET = 3;
/** What a chest may hold: the first always, of the others at most one. */
export const chestPrizes: readonly Prize[] = [
  { type: 'POINTS', amount: 2 },
  { type: 'PRODUCTS', amount: 1 },
  { type: 'PRODUCTS', amount: 4, of: 'mug' },
  { type: 'CHEST', amount: 1 },
];

/** What support may give. */
export const gifts: readonly Prize[] = [
  { type: 'POINTS', amount: 3, days: 2 },
  { type: 'FRAGMENTS', amount: 4 },
  { type: 'PRODUCTS', amount: 2, of: 'mug' },
];

/** Pieces that combine into a coupon, and what units cost in points. */
export const PIECES_REQUIRED = 3;
export const prices = { coupon: 5, mug: 3, offers: [4, undefined] } as const;

/** A prize in the words of a digest. */
export function nameOf({
  type,
  amount,
  amountUnpaid,
}: Pick<Prize, 'type' | 'amount'> & { amountUnpaid?: number }): string {
  return `${type} ${amount}${amountUnpaid === undefined ? '' : ` and not ${amountUnpaid}`}`;
}
