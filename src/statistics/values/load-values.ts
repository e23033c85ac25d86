import {
  dayKey,
  NO_VALUES,
  type ReadStatistic,
  statisticValuesOf,
  type StatisticValues,
} from '../../engine/statistics/statistic-values.ts';
import type { StatisticValue } from '../../engine/statistics/statistic-value.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { keyOf, type StatisticKey, statisticValues } from './account-statistics.queries.ts';
import { type DayOfValue, daysWithEvents } from './statistic-days.queries.ts';

/** An account and an instant in whose periods its values are read. */
export type WantedValues = { readonly accountId: string; readonly at: Timestamp };

/** The place of a value that is read. */
type Place = StatisticKey & { value: StatisticValue | undefined };

/** The places of an account by the id of the statistic. */
type OwnPlaces = Map<string, Place[]>;

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
  const accounts = new Map<string, OwnPlaces>();
  const places: Place[] = [];
  const days = new Map<string, DayOfValue>();
  for (const { accountId, at } of wanted) {
    const own = accounts.getOrInsertComputed(accountId, () => new Map());
    for (const { id: statisticId, aggregation, periodAt, dayAt } of statistics) {
      const key = { accountId, statisticId, period: periodAt(at).period };
      enterPlace(own, places, key);
      if (aggregation === 'DAYS') days.set(`${keyOf(key)} ${dayAt(at)}`, { ...key, day: dayAt(at) });
    }
  }
  const [values, begun] = await Promise.all([statisticValues(uow, places), daysWithEvents(uow, [...days.values()])]);
  places.forEach((place, index) => (place.value = values[index]));
  const daysOf = new Map<string, Set<string>>();
  for (const { accountId, statisticId, period, day } of begun)
    daysOf.getOrInsertComputed(accountId, () => new Set()).add(dayKey(statisticId, period, day));
  const byId = new Map(statistics.map((statistic) => [statistic.id, statistic]));
  const loaded = new Map<string, StatisticValues>();
  for (const [accountId, own] of accounts)
    loaded.set(accountId, statisticValuesOf(byId, { values: own, days: daysOf.get(accountId) ?? NO_DAYS }));
  return loaded;
}

const NO_DAYS: ReadonlySet<string> = new Set();

/** The values of one account at an instant: see {@link loadStatisticValues}. */
export async function statisticValuesAt(
  uow: UnitOfWork,
  statistics: readonly ReadStatistic[],
  wanted: WantedValues,
): Promise<StatisticValues> {
  return (await loadStatisticValues(uow, statistics, [wanted])).get(wanted.accountId) ?? NO_VALUES;
}

function enterPlace(values: OwnPlaces, places: Place[], key: StatisticKey): void {
  const own = values.get(key.statisticId);
  if (own?.some(({ period }) => period === key.period)) return;
  const place = { ...key, value: undefined };
  places.push(place);
  if (own === undefined) values.set(key.statisticId, [place]);
  else own.push(place);
}
