import type { PeriodSums } from '../assignment.ts';
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
