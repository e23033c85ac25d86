/** The values of a group of accounts, added up. */
export type GroupSums = {
  readonly accounts: number;
  readonly sum: number;
  /** The sum of the squares of the values. */
  readonly squares: number;
};

/** Whether two groups differ: `MAY_BE_CHANCE` if the interval contains 0. */
export type Verdict = 'HIGHER' | 'LOWER' | 'MAY_BE_CHANCE' | 'TOO_FEW_ACCOUNTS';

/** The difference of the means of two groups, with its 95 % interval. */
export type MeasuredEffect = {
  readonly difference: number;
  /** The bounds of the interval; undefined for too few accounts. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  readonly verdict: Verdict;
};

/** Accounts that each group needs: the means of fewer are too far from a normal distribution, because few accounts do most. */
export const ACCOUNTS_MIN = 30;

/**
 * Compares the means of accounts that a campaign addresses and of those that it holds back, by Welch's interval: the groups may differ in
 * size and spread. About 95 of 100 such intervals contain the true difference.
 */
export function measuredEffect(offered: GroupSums, heldBack: GroupSums): MeasuredEffect {
  const difference = meanOf(offered) - meanOf(heldBack);
  if (offered.accounts < ACCOUNTS_MIN || heldBack.accounts < ACCOUNTS_MIN)
    return { difference, interval: undefined, verdict: 'TOO_FEW_ACCOUNTS' };
  const [one, other] = [errorOf(offered), errorOf(heldBack)];
  const variance = one + other;
  // By Welch and Satterthwaite. Without any spread the interval is a point.
  const freedom =
    variance === 0
      ? Infinity
      : variance ** 2 / (one ** 2 / (offered.accounts - 1) + other ** 2 / (heldBack.accounts - 1));
  const half = quantile(freedom) * Math.sqrt(variance);
  const interval = { low: difference - half, high: difference + half };
  const verdict = interval.low > 0 ? 'HIGHER' : interval.high < 0 ? 'LOWER' : 'MAY_BE_CHANCE';
  return { difference, interval, verdict };
}

/** The mean of a group; 0 for none. */
export function meanOf({ accounts, sum }: GroupSums): number {
  return accounts === 0 ? 0 : sum / accounts;
}

/** The variance of a group's mean. */
function errorOf({ accounts, sum, squares }: GroupSums): number {
  return Math.max(0, squares - sum ** 2 / accounts) / (accounts - 1) / accounts;
}

/** 97.5 % of the normal distribution is below it. */
const Z = 1.959_963_984_540_054;

/** The same of Student's distribution, by the expansion of Cornish and Fisher: off by less than 0.001 from ten degrees of freedom on. */
function quantile(freedom: number): number {
  return (
    Z +
    (Z ** 3 + Z) / (4 * freedom) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * freedom ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * freedom ** 3)
  );
}
