import { type BoardPlan, boardsOf, type StatisticBoards } from '../../engine/leaderboards/board-plan.ts';
import type { PeriodSpan } from '../../engine/statistics/statistic-period.ts';
import { aggregations, type Aggregation } from '../../engine/statistics/statistic-value.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';
import { keyOf, type StatisticKey } from '../../statistics/values/account-statistics.queries.ts';
import {
  lockOpenRuns,
  lockRunsById,
  lockRunsForEveryone,
  runKey,
  type OpenRun,
  type WantedRun,
} from '../runs/runs.queries.ts';
import { openEntriesOf, refreshEntries, runsOfEntries, type StaleEntry } from './entries.queries.ts';

/** A value that an event has counted for. */
export type CountedValue = StatisticKey & {
  /** An instant of its period. */
  readonly occurredAt: Timestamp;
  /** The time at which it was reached, if it changed. */
  readonly reachedAt: Timestamp;
  /** The audiences of the account, as the last of these events saw them. */
  readonly audiences: ReadonlyMap<string, unknown>;
};

/**
 * Ranks accounts by the values that events have moved, after these are written: an account enters the leaderboards of its audiences, and
 * leaves the others. The number of statements does not grow with the batch. The caller has locked the accounts.
 * @param boards by the id of the statistic
 */
export async function rankAccounts(
  uow: UnitOfWork,
  boards: ReadonlyMap<string, StatisticBoards>,
  values: readonly CountedValue[],
  now: Date,
): Promise<void> {
  const counted = values.flatMap((value) => {
    const own = boards.get(value.statisticId);
    return own === undefined ? [] : [{ value, own, entered: boardsOf(own, value.audiences) }];
  });
  if (counted.length === 0) return;
  const wanted = new Map<string, WantedRun>();
  for (const { value, entered } of counted)
    for (const board of entered)
      wanted.getOrInsertComputed(runKey(board.id, value.period), () => {
        return { board, span: board.statistic.periodAt(value.occurredAt) };
      });
  const [runs, left] = await Promise.all([
    lockOpenRuns(uow, [...wanted.values()], now),
    runsOfEntries(
      uow,
      counted.filter(({ own }) => own.byAudience.size > 0).map(({ value }) => value),
    ),
  ]);
  const entered = counted.flatMap(({ value, entered: all }) =>
    all.flatMap((board) => {
      const run = runs.get(runKey(board.id, value.period));
      return run === undefined ? [] : [entryOf(run, board, value, true)];
    }),
  );
  const present = new Set(left.length === 0 ? [] : entered.map(({ accountId, run }) => `${accountId} ${run.id}`));
  const others = left.filter(({ accountId, runId }) => !present.has(`${accountId} ${runId}`));
  await refreshEntries(uow, [...entered, ...(await entriesLeft(uow, boards, others, values, now))]);
}

function entryOf(
  run: OpenRun,
  { order, statistic: { aggregation } }: BoardPlan,
  { accountId, reachedAt }: Pick<CountedValue, 'accountId' | 'reachedAt'>,
  isMember: boolean | undefined,
): StaleEntry {
  return {
    ...{ run, accountId, isMember },
    sign: order === 'HIGHEST_FIRST' ? -1 : 1,
    isAdded: aggregations[aggregation].isAdded,
    isLast: aggregation === 'LAST',
    reachedAt: new Date(reachedAt),
  };
}

/** The entries of accounts that are in no audience of the leaderboard any more. */
async function entriesLeft(
  uow: UnitOfWork,
  boards: ReadonlyMap<string, StatisticBoards>,
  entries: ReadonlyArray<StatisticKey & { readonly runId: string }>,
  values: readonly CountedValue[],
  now: Date,
): Promise<StaleEntry[]> {
  if (entries.length === 0) return [];
  const runs = await lockRunsById(
    uow,
    entries.map(({ runId }) => runId),
    now,
  );
  const byId = new Map(runs.map((run) => [run.id, run]));
  const byKey = new Map(values.map((value) => [keyOf(value), value]));
  return entries.flatMap((entry) => {
    const run = byId.get(entry.runId);
    const board = boards.get(entry.statisticId)?.byId.get(run?.leaderboardId ?? '');
    return run === undefined || board === undefined ? [] : [entryOf(run, board, byKey.get(keyOf(entry))!, false)];
  });
}

/** A value that changed otherwise than by events. */
export type ChangedValue = StatisticKey & { readonly aggregation: Aggregation };

/**
 * Ranks accounts by values that a reversal or a correction has changed, after these are written. Audiences are not judged: who is on a
 * leaderboard stays there, and others enter those for everyone. The caller has locked the accounts.
 */
export async function rankChanged(uow: UnitOfWork, values: readonly ChangedValue[], now: Date): Promise<void> {
  if (values.length === 0) return;
  const [existing, open] = await Promise.all([
    runsOfEntries(uow, values),
    lockRunsForEveryone(uow, distinctPeriods(values), now),
  ]);
  const own = await lockRunsById(
    uow,
    existing.map(({ runId }) => runId).filter((id) => !open.some((run) => run.id === id)),
    now,
  );
  const present = new Set(existing.map((entry) => `${keyOf(entry)} ${entry.runId}`));
  const unique = new Map(values.map((value) => [keyOf(value), value]));
  await refreshEntries(
    uow,
    [...open, ...own].flatMap((run) =>
      [...unique.values()]
        .filter(({ statisticId, period }) => statisticId === run.statisticId && period === run.period)
        .flatMap((value): StaleEntry[] => {
          const isPresent = present.has(`${keyOf(value)} ${run.id}`);
          if (!isPresent && !run.isForEveryone) return [];
          return [
            {
              ...{ run, accountId: value.accountId, reachedAt: now },
              isMember: run.isForEveryone ? true : undefined,
              sign: run.order === 'HIGHEST_FIRST' ? -1 : 1,
              isAdded: aggregations[value.aggregation].isAdded,
              isLast: value.aggregation === 'LAST',
            },
          ];
        }),
    ),
  );
}

function distinctPeriods(keys: readonly StatisticKey[]): StatisticKey[] {
  return [...new Map(keys.map((key) => [`${key.statisticId} ${key.period}`, key])).values()];
}

/**
 * Ranks accounts again whose values or visibility changed as a whole: after a merge, its undo, a deletion, or when they are hidden or shown.
 * The caller has locked the accounts.
 * @param aggregationOf the aggregation of a statistic; undefined for one that no longer exists
 */
export async function rankAgain(
  uow: UnitOfWork,
  accountIds: readonly string[],
  aggregationOf: ReadonlyMap<string, Aggregation>,
  now: Date,
): Promise<void> {
  const keys = await openEntriesOf(uow, accountIds);
  const values = keys.flatMap((key) =>
    // An account may have no entry yet in a run in which another one has: that of the account with which it was merged.
    accountIds.map((accountId) => ({ ...key, accountId })),
  );
  await rankChanged(
    uow,
    values.flatMap((value) => {
      const aggregation = aggregationOf.get(value.statisticId);
      return aggregation === undefined ? [] : [{ ...value, aggregation }];
    }),
    now,
  );
}

/** The aggregations of the client's statistics, by id. */
export async function aggregationsById(uow: UnitOfWork): Promise<ReadonlyMap<string, Aggregation>> {
  return new Map((await statisticDefinitions(uow)).map(({ id, aggregation }) => [id, aggregation]));
}

/** Takes an account off the leaderboards whose runs are open, when it is deleted or erased. It is locked. */
export async function leaveLeaderboards(uow: UnitOfWork, accountId: string, now: Date): Promise<void> {
  const keys = await openEntriesOf(uow, [accountId]);
  if (keys.length === 0) return;
  const entries = await runsOfEntries(uow, keys);
  const runs = await lockRunsById(
    uow,
    entries.map(({ runId }) => runId),
    now,
  );
  const open = new Map(runs.map((run) => [run.id, run]));
  await refreshEntries(
    uow,
    entries.flatMap(({ runId }): StaleEntry[] => {
      const run = open.get(runId);
      if (run === undefined) return [];
      const sign = run.order === 'HIGHEST_FIRST' ? -1 : 1;
      return [{ run, accountId, isMember: false, reachedAt: now, sign, isAdded: true, isLast: false }];
    }),
  );
}

/** A value that support or a file has set, or the refusal to do so. */
type Corrected = {
  readonly definition: { readonly id: string; readonly aggregation: Aggregation };
  readonly span: PeriodSpan;
};

/** Ranks accounts by corrected values. @param corrected the outcomes of `correctStatistics`, in the order of the corrections */
export async function rankCorrected(
  uow: UnitOfWork,
  corrections: ReadonlyArray<{ readonly accountId: string }>,
  corrected: ReadonlyArray<Corrected | DomainError>,
  now: Date,
): Promise<void> {
  const values = corrected.flatMap((each, index) => {
    if (each instanceof DomainError) return [];
    const { definition, span } = each;
    const { accountId } = corrections[index]!;
    return [{ accountId, statisticId: definition.id, period: span.period, aggregation: definition.aggregation }];
  });
  await rankChanged(uow, values, now);
}
