import type { Judged } from './expressions.ts';

/** The most that a formula of a game pays. */
export const AMOUNT_MAX = 5;

/** An exact value as a fraction of whole numbers; undefined if it does not exist. */
type Fraction = readonly [numerator: number, denominator: number] | undefined;

/** The values of an account without an event. */
export type JudgedAccount = Pick<Judged, 'tier' | 'audiences'>;

/** The amounts of rewards by the account alone, and what each means. */
export const accountFormulas = {
  'account.tier == "GOLD" ? 7.5 : 2': ({ tier }: JudgedAccount): Fraction =>
    tier && (tier === 'GOLD' ? [15, 2] : [2, 1]),
  'has(account.tier) ? 3 : 0.9': ({ tier }: JudgedAccount): Fraction => (tier === undefined ? [9, 10] : [3, 1]),
  '"Some" in account.audiences ? 4 : 6.99': ({ audiences }: JudgedAccount): Fraction =>
    audiences.has('Some') ? [4, 1] : [699, 100],
  '"Gold" in account.audiences ? 4 : -1': (): Fraction => [-1, 1],
  '33 * 3.1': (): Fraction => [1023, 10],
};

/** The amounts of rewards of missions, and what each means. */
export const formulas = {
  ...accountFormulas,
  'event.amount * 0.7': ({ amount }: Judged): Fraction => [amount * 7, 10],
  'event.amount / 3 + 0.5': ({ amount }: Judged): Fraction => [amount * 2 + 3, 6],
  'event.amount - 3': ({ amount }: Judged): Fraction => [amount - 3, 1],
  '10 / (event.amount - 3)': ({ amount }: Judged): Fraction => (amount === 3 ? undefined : [10, amount - 3]),
  'event.amount * event.amount': ({ amount }: Judged): Fraction => [amount * amount, 1],
  'event.category == "tea" ? event.amount * 2.5 : 1': ({ amount, category }: Judged): Fraction =>
    category && (category === 'tea' ? [amount * 5, 2] : [1, 1]),
  'mission.progress + 0.5': ({ progress }: Judged): Fraction => [progress * 2 + 1, 2],
  'account.tier == "GOLD" ? mission.progress : event.amount / 2': ({ amount, progress, tier }: Judged): Fraction =>
    tier && (tier === 'GOLD' ? [progress, 1] : [amount, 2]),
};

export type AccountFormulaText = keyof typeof accountFormulas;
export type FormulaText = keyof typeof formulas;

/** The points that a value pays, or why it pays nothing: whole points, rounded down after the exact value, at most the maximum. */
export function pointsOf(value: Fraction): number | 'AMOUNT_BELOW_ONE' | 'AMOUNT_MISSING' {
  if (value === undefined) return 'AMOUNT_MISSING';
  const points = Math.floor(value[0] / value[1]);
  return points < 1 ? 'AMOUNT_BELOW_ONE' : Math.min(points, AMOUNT_MAX);
}
