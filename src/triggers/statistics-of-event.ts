import { type ReversedPart, type StatisticEffect, takenBack } from '../engine/statistics/statistic-value.ts';
import type { JournalEntryRow, StoredStatistic } from '../journal/journal-row.ts';
import type { StatisticPlans } from '../statistics/statistic-plans.ts';

/** Effects on statistics as the journal has them. */
export function storedStatistics(effects: readonly StatisticEffect[]): StoredStatistic[] {
  return effects.map(({ statisticId, period, amount, day }) => {
    const moved = [statisticId, period, Number(amount)] as const;
    return day === undefined ? moved : [...moved, day];
  });
}

/** The effects of the reversal of a part of an event on the statistics that still exist, with negative amounts. */
export function reversedStatistics(
  { byId }: StatisticPlans,
  { details, occurredAt }: Pick<JournalEntryRow, 'details' | 'occurredAt'>,
  part: ReversedPart,
): StatisticEffect[] {
  return (details?.statistics ?? []).flatMap(([statisticId, period, , day]) => {
    const plan = byId.get(statisticId);
    const taken = plan === undefined ? 0n : takenBack(plan.aggregation, part);
    if (plan === undefined || taken === 0n) return [];
    const { aggregation } = plan;
    return [{ statisticId, aggregation, period, amount: -taken, occurredAt: occurredAt.getTime(), day }];
  });
}
