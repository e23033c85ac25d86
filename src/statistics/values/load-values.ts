import {
  dayKey,
  NO_VALUES,
  type ReadStatistic,
  statisticValuesOf,
  type StatisticValues,
  type StoredValues,
  valueKey,
} from '../../engine/statistics/statistic-values.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { keyOf, statisticValues } from './account-statistics.queries.ts';
import { daysWithEvents } from './statistic-days.queries.ts';

/** An account and an instant in whose periods its values are read. */
export type WantedValues = { readonly accountId: string; readonly at: Timestamp };

/**
 * The values of some statistics for some accounts, by the id of the account, in the periods of some instants. One statement, and another one
 * if a statistic counts days.
 */
export async function loadStatisticValues(
  uow: UnitOfWork,
  statistics: readonly ReadStatistic[],
  wanted: readonly WantedValues[],
): Promise<Map<string, StatisticValues>> {
  if (statistics.length === 0) return new Map();
  const keys = new Map<string, ReturnType<typeof keysOf>[number]>();
  for (const each of wanted)
    for (const key of keysOf(statistics, each)) keys.set(`${keyOf(key)} ${key.day ?? ''}`, key);
  const all = [...keys.values()];
  const days = all.flatMap(({ day, ...key }) => (day === undefined ? [] : [{ ...key, day }]));
  const [values, begun] = await Promise.all([statisticValues(uow, all), daysWithEvents(uow, days)]);
  const stored = new Map<string, StoredValues>();
  for (const key of all) {
    const own = stored.get(key.accountId) ?? { values: new Map(), days: new Set() };
    stored.set(key.accountId, own);
    own.values.set(valueKey(key.statisticId, key.period), values.get(keyOf(key)));
  }
  for (const { accountId, statisticId, period, day } of begun)
    stored.get(accountId)!.days.add(dayKey(statisticId, period, day));
  const byId = new Map(statistics.map((statistic) => [statistic.id, statistic]));
  return new Map([...stored].map(([accountId, own]) => [accountId, statisticValuesOf(byId, own)]));
}

/** The values of one account at an instant: see {@link loadStatisticValues}. */
export async function statisticValuesAt(
  uow: UnitOfWork,
  statistics: readonly ReadStatistic[],
  wanted: WantedValues,
): Promise<StatisticValues> {
  return (await loadStatisticValues(uow, statistics, [wanted])).get(wanted.accountId) ?? NO_VALUES;
}

function keysOf(statistics: readonly ReadStatistic[], { accountId, at }: WantedValues) {
  return statistics.map(({ id, aggregation, periodAt, dayAt }) => {
    return {
      accountId,
      statisticId: id,
      period: periodAt(at).period,
      day: aggregation === 'DAYS' ? dayAt(at) : undefined,
    };
  });
}
