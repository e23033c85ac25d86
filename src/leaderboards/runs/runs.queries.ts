import type { BoardPlan } from '../../engine/leaderboards/board-plan.ts';
import type { PeriodSpan } from '../../engine/statistics/statistic-period.ts';
import { newId } from '../../kernel/ids.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** A run whose entries may change. */
export type OpenRun = {
  readonly id: string;
  readonly leaderboardId: string;
  readonly statisticId: string;
  readonly period: number;
  readonly hasRanges: boolean;
  /** Whether its accounts get groups. */
  readonly hasLeagues: boolean;
};

/** A run that a move needs. */
export type WantedRun = { readonly board: BoardPlan; readonly span: PeriodSpan };

const COLUMNS = `id, leaderboard_id as "leaderboardId", statistic_id as "statisticId", period, has_ranges as "hasRanges",
  leagues is not null as "hasLeagues"`;

const CHANGED_COLUMNS = `${COLUMNS}, is_for_everyone as "isForEveryone"`;

/** SQL of whether the time of the close has not come. @param now SQL of the time */
function isBeforeClose(now: string): string {
  return `(closes_at is null or closes_at > ${now}::timestamptz)`;
}

/** The key of a run within its client. */
export function runKey(leaderboardId: string, period: number): string {
  return `${leaderboardId} ${period}`;
}

/**
 * The open runs of some leaderboards and periods, by {@link runKey}: one statement, and two more for the first event of a period. They stay
 * open until the transaction ends, because the close needs a stronger lock.
 */
export async function lockOpenRuns(
  uow: UnitOfWork,
  wanted: readonly WantedRun[],
  now: Date,
): Promise<Map<string, OpenRun>> {
  const known = await lockRuns(uow, wanted, now);
  const missing = wanted.filter(
    ({ board, span }) => !known.has(runKey(board.id, span.period)) && mayBegin(board, span, now),
  );
  if (missing.length === 0) return openOf(known);
  await insertRuns(uow, missing, now);
  return openOf(new Map([...known, ...(await lockRuns(uow, missing, now))]));
}

/** Whether a run that does not exist yet may begin: its period was in progress with the active leaderboard, and late events still count. */
function mayBegin({ activatedAt, lateMs }: BoardPlan, { until }: PeriodSpan, now: Date): boolean {
  return until > activatedAt && until + lateMs > now.getTime();
}

type FoundRun = OpenRun & { readonly isOpen: boolean };

function openOf(runs: ReadonlyMap<string, FoundRun>): Map<string, OpenRun> {
  return new Map([...runs].filter(([, { isOpen }]) => isOpen));
}

async function lockRuns(uow: UnitOfWork, wanted: readonly WantedRun[], now: Date): Promise<Map<string, FoundRun>> {
  const sorted = inOrder(wanted);
  const rows = await uow.query<FoundRun>(
    `select r.* from unnest($2::uuid[], $3::int[]) as wanted(leaderboard_id, period)
      cross join ${lookUpByKey({
        select: `${COLUMNS}, status = 'OPEN' and ${isBeforeClose('$4')} as "isOpen"`,
        from: 'leaderboard_run',
        key: { leaderboard_id: 'wanted.leaderboard_id', period: 'wanted.period' },
        lock: 'for key share',
      })} r`,
    [uow.clientId, sorted.map(({ board }) => board.id), sorted.map(({ span }) => span.period), now],
  );
  return new Map(rows.map((row) => [runKey(row.leaderboardId, row.period), row]));
}

async function insertRuns(uow: UnitOfWork, wanted: readonly WantedRun[], now: Date): Promise<void> {
  const sorted = inOrder(wanted);
  const date = (at: number) => (Number.isFinite(at) ? new Date(at) : null);
  const closes = sorted.map(({ board, span }) => date(span.until + board.lateMs));
  await uow.query(
    `insert into leaderboard_run
            (client_id, id, leaderboard_id, statistic_id, period, since, until, closes_at, due_at, status, created_at, leagues,
             is_for_everyone)
     select client_row.client_id, r.id, r.leaderboard_id, r.statistic_id, r.period, r.since, r.until, r.closes_at, r.closes_at,
            'OPEN', $9::timestamptz, r.leagues, r.is_for_everyone
       from ${CLIENT_ROW}
      cross join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
                        $10::jsonb[], $11::boolean[])
            as r(id, leaderboard_id, statistic_id, period, since, until, closes_at, leagues, is_for_everyone)
     on conflict (client_id, leaderboard_id, period) do nothing`,
    [
      uow.clientId,
      sorted.map(() => newId()),
      sorted.map(({ board }) => board.id),
      sorted.map(({ board }) => board.statistic.id),
      sorted.map(({ span }) => span.period),
      sorted.map(({ span }) => date(span.from)),
      sorted.map(({ span }) => date(span.until)),
      closes,
      now,
      sorted.map(({ board }) => (board.leagues === null ? null : JSON.stringify(board.leagues))),
      sorted.map(({ board }) => board.audienceIds.length === 0),
    ],
  );
}

/** Runs in the order of their keys, so that two transactions never wait for each other in a circle. */
function inOrder(wanted: readonly WantedRun[]): WantedRun[] {
  const keyOf = ({ board, span }: WantedRun) => runKey(board.id, span.period);
  return wanted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A period of a statistic. */
export type StatisticPeriodKey = { readonly statisticId: string; readonly period: number };

/** An open run, whether every account may enter it, and the order of its entries. */
export type ChangedRun = OpenRun & { readonly isForEveryone: boolean; readonly order: BoardPlan['order'] };

/** The open ones of some runs, which stay open until the transaction ends. */
export function lockRunsById(uow: UnitOfWork, ids: readonly string[], now: Date): Promise<ChangedRun[]> {
  return lockChangedRuns(uow, {
    wanted: 'unnest($2::uuid[]) as wanted(id)',
    values: [[...new Set(ids)].toSorted()],
    key: { id: 'wanted.id' },
    now,
  });
}

/** The open runs of some periods of statistics that every account may enter. They stay open until the transaction ends. */
export function lockRunsForEveryone(
  uow: UnitOfWork,
  periods: readonly StatisticPeriodKey[],
  now: Date,
): Promise<ChangedRun[]> {
  return lockChangedRuns(uow, {
    wanted: 'unnest($2::uuid[], $4::int[]) as wanted(statistic_id, period)',
    values: [periods.map(({ statisticId }) => statisticId), periods.map(({ period }) => period)],
    key: { statistic_id: 'wanted.statistic_id', period: 'wanted.period' },
    and: 'is_for_everyone',
    now,
  });
}

/** Constant SQL, and the arrays of its keys: `$2`, and from `$4` on. */
type ChangedRuns = {
  readonly wanted: string;
  readonly values: readonly [unknown[], ...unknown[][]];
  readonly key: Readonly<Record<string, string>>;
  /** A further condition. */
  readonly and?: string;
  readonly now: Date;
};

async function lockChangedRuns(
  uow: UnitOfWork,
  { wanted, values, key, and = 'true', now }: ChangedRuns,
): Promise<ChangedRun[]> {
  const [first, ...others] = values;
  if (first.length === 0) return [];
  return uow.query<ChangedRun>(
    `select r.*, b.rank_order as "order" from ${wanted}
      cross join ${lookUpByKey({
        ...{ select: CHANGED_COLUMNS, from: 'leaderboard_run', key, many: true, lock: 'for key share' },
        and: `status = 'OPEN' and ${and} and ${isBeforeClose('$3')}`,
      })} r
      cross join ${lookUpByKey({ select: 'rank_order', from: 'leaderboard', key: { id: 'r."leaderboardId"' } })} b`,
    [uow.clientId, first, now, ...others],
  );
}

/**
 * Changes a run that the caller has locked.
 * @param set SQL of the changes and what they return; the parameters from `$3` on are `values`
 */
export function updateRun<Row extends object = never>(
  uow: UnitOfWork,
  runId: string,
  {
    set,
    values,
    returning = '',
  }: { readonly set: string; readonly values: readonly unknown[]; readonly returning?: string },
): Promise<Row[]> {
  return uow.query<Row>(
    `update leaderboard_run r set ${set}
       from ${lockedRows({
         source: 'unnest($2::uuid[]) as k(id)',
         alias: 'k',
         table: 'leaderboard_run',
         key: { id: 'k.id' },
       })}
      where r.client_id = $1 and r.ctid = k.row_ctid ${returning}`,
    [uow.clientId, [runId], ...values],
  );
}

/** A run to lock. The parts are constant SQL, never input. */
type LockedRun = { readonly select: string; readonly lock: string; readonly and?: string };

/** Locks a run. @returns its columns; undefined if it does not exist, or another transaction has it and the lock does not wait */
export async function lockRun<Row extends object>(
  uow: UnitOfWork,
  runId: string,
  { select, lock, and }: LockedRun,
): Promise<Row | undefined> {
  const [row] = await uow.query<Row>(
    `select r.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ ...{ select, lock, and }, from: 'leaderboard_run', key: { id: 'wanted.id' } })} r`,
    [uow.clientId, [runId]],
  );
  return row;
}
