import type { ClientCatalog } from '../campaigns/catalog/catalog.ts';
import { type ReversedPart, type StatisticEffect, takenBack } from '../engine/statistics/statistic-value.ts';
import type { JournalEntryRow, StoredStatistic } from '../journal/journal-row.ts';
import { ONE } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { type CountedValue, rankAccounts } from '../leaderboards/entries/rank-accounts.ts';
import { reachedTimes } from '../leaderboards/entries/reached-times.ts';
import { type AccountEffects, keyOf } from '../statistics/values/account-statistics.queries.ts';
import { type EventEffects, moveStatistics } from '../statistics/values/move-statistics.ts';
import { storedEvents } from '../statistics/values/statistic-events.queries.ts';
import type { StatisticPlans } from '../statistics/statistic-plans.ts';
import type { DecidedTrigger } from './batch-trigger.ts';

/**
 * Moves the statistics that the events of a batch count for, and the leaderboards over them.
 * @param entryIds those of all events, in their order; none without a journal
 */
export async function storeStatistics(
  uow: UnitOfWork,
  { leaderboards }: ClientCatalog,
  decided: readonly DecidedTrigger[],
  { entryIds, now }: { readonly entryIds: readonly string[]; readonly now: Date },
): Promise<void> {
  const events = decided.flatMap(({ account, statistics }, index): EventEffects[] =>
    statistics === undefined || statistics.length === 0
      ? []
      : [{ accountId: account.id, effects: statistics, entryId: entryIds[index] }],
  );
  const moved = await moveStatistics(uow, events);
  if (leaderboards.size > 0 && moved.length > 0)
    await rankAccounts(uow, leaderboards, countedValues(decided, moved), now);
}

/** The values that events have counted for, each with the audiences that the last of these events saw. */
function countedValues(decided: readonly DecidedTrigger[], moved: readonly AccountEffects[]): CountedValue[] {
  const reached = reachedTimes(moved);
  const values = new Map<string, CountedValue>();
  for (const { account, statistics = [], context } of decided)
    for (const { statisticId, period, occurredAt } of statistics) {
      const value = { accountId: account.id, statisticId, period };
      const key = keyOf(value);
      const reachedAt = reached.get(key) ?? occurredAt;
      values.set(key, { ...value, occurredAt, reachedAt, audiences: context.audiences });
    }
  return [...values.values()];
}

/** Effects on statistics as the journal has them: those of several missions or rewards on one value are one. */
export function storedStatistics(effects: readonly StatisticEffect[]): StoredStatistic[] {
  return sumsOf(effects).map(({ statisticId, period, amount, day }) => {
    const moved = [statisticId, period, Number(amount)] as const;
    return day === undefined ? moved : [...moved, day];
  });
}

/** One effect for each value; those of points and missions are added up. */
export function sumsOf(effects: readonly StatisticEffect[]): readonly StatisticEffect[] {
  if (effects.length < 2) return effects;
  const sums = new Map<string, StatisticEffect>();
  for (const effect of effects) {
    const key = `${effect.statisticId} ${effect.period}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? effect : { ...before, amount: before.amount + effect.amount });
  }
  return [...sums.values()];
}

/**
 * The amounts that events have brought to statistics that were created later, by the index of the entry: the journal does not have them. Runs
 * no statement if no statistic counts past events.
 */
export async function pastStatistics(
  uow: UnitOfWork,
  { byId }: StatisticPlans,
  entries: readonly Pick<JournalEntryRow, 'id' | 'details'>[],
): Promise<ReadonlyMap<number, readonly StoredStatistic[]>> {
  if (![...byId.values()].some(({ countsPastEvents }) => countsPastEvents)) return new Map();
  const ids = entries.map(({ id }) => id);
  const stored = [...(await storedEvents(uow, ids))].map(([index, own]) => {
    const known = new Set(entries[index]!.details?.statistics?.map(([id]) => id));
    const past = own.flatMap(({ statisticId, period, value }): StoredStatistic[] => {
      if (known.has(statisticId)) return [];
      const isDay = byId.get(statisticId)?.aggregation === 'DAYS';
      return [isDay ? [statisticId, period, 0, Number(value / ONE)] : [statisticId, period, Number(value)]];
    });
    return [index, past] as const;
  });
  return new Map(stored);
}

/**
 * The effects of the reversal of a part of an event on the statistics that still exist, with negative amounts.
 * @param past what it has brought to statistics that were created later
 */
export function reversedStatistics(
  { byId }: StatisticPlans,
  { details, occurredAt }: Pick<JournalEntryRow, 'details' | 'occurredAt'>,
  past: readonly StoredStatistic[],
  part: ReversedPart,
): StatisticEffect[] {
  return [...(details?.statistics ?? []), ...past].flatMap(([statisticId, period, , day]) => {
    const plan = byId.get(statisticId);
    // Points and missions fall by the rewards and rounds that are lost.
    if (plan === undefined || plan.source !== 'EVENTS') return [];
    const taken = takenBack(plan.aggregation, part);
    if (taken === 0n) return [];
    const { aggregation } = plan;
    return [{ statisticId, aggregation, period, amount: -taken, occurredAt: occurredAt.getTime(), day }];
  });
}
