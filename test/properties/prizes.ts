import type { RewardType } from '../../src/rewards/definitions/reward-types.ts';

/** The unit of the amount of each reward type, in the books of the model. */
export const brings: Readonly<Record<RewardType, 'points' | 'pieces' | 'units' | 'chests' | 'badges'>> = {
  POINTS: 'points',
  FRAGMENTS: 'pieces',
  PRODUCTS: 'units',
  CHEST: 'chests',
  BADGE: 'badges',
};

/** The content of a reward as digests list it: `POINTS 20`. */
export type Prize = {
  readonly type: RewardType;
  readonly amount: number;
  readonly days?: number;
  /** Units of mugs, which publications share, instead of coupons. */
  readonly of?: 'mug';
};

/** The reward of the n-th event of an account. The missions of the world are created from it. */
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
  { type: 'BADGE', amount: 1 },
];
/** The completion reward of the last mission, and the rewards of a claim after {@link CLAIM_TARGET} events. */
export const completion: readonly Prize[] = [{ type: 'POINTS', amount: 10 }];
export const claimed: readonly Prize[] = [
  { type: 'POINTS', amount: 6 },
  { type: 'PRODUCTS', amount: 3 },
];
export const CLAIM_TARGET = 3;
/** The entries of a chest: the first is always drawn, and at most one of the others. */
export const chestPrizes: readonly Prize[] = [
  { type: 'POINTS', amount: 2 },
  { type: 'PRODUCTS', amount: 1 },
  { type: 'PRODUCTS', amount: 4, of: 'mug' },
  { type: 'CHEST', amount: 1 },
];

/** The rewards that the support team may grant. */
export const gifts: readonly Prize[] = [
  { type: 'POINTS', amount: 3, days: 2 },
  { type: 'FRAGMENTS', amount: 4 },
  { type: 'PRODUCTS', amount: 2, of: 'mug' },
];

/** The fragments for one coupon, and the prices in points. */
export const PIECES_REQUIRED = 3;
export const prices = { coupon: 5, mug: 3, offers: [4, undefined] } as const;

/** The text of a prize in a digest. */
export function nameOf({
  type,
  amount,
  amountUnpaid,
}: Pick<Prize, 'type' | 'amount'> & { amountUnpaid?: number }): string {
  return `${type} ${amount}${amountUnpaid === undefined ? '' : ` and not ${amountUnpaid}`}`;
}
