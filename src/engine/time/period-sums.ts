import type { MergedProgress, PeriodSums } from '../assignment.ts';
import type { PeriodNumber } from './period.ts';

/** The sum of a period, in ten-thousandths. */
export function sumOf(sums: PeriodSums, period: PeriodNumber): number {
  for (const [other, sum] of sums) if (other === period) return sum;
  return 0;
}

/** The sums with the sum of one period replaced, oldest first. */
export function withSum(sums: PeriodSums, period: PeriodNumber, sum: number): PeriodSums {
  const others = sums.filter(([other]) => other !== period);
  return [...others, [period, sum] as const].toSorted(([a], [b]) => a - b);
}

/** The sums of two accounts by period, oldest first. */
export function combinedSums(one: PeriodSums, other: PeriodSums, how: MergedProgress): PeriodSums {
  const sums = new Map(one);
  for (const [period, sum] of other) {
    const before = sums.get(period) ?? 0;
    sums.set(period, how === 'SUM' ? before + sum : Math.max(before, sum));
  }
  return [...sums].toSorted(([a], [b]) => a - b);
}
