import type { Amount } from '../../kernel/amount.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { IS_LISTED } from '../entries/leaderboard-entry.entity.ts';
import { lockRun, updateRun } from '../runs/runs.queries.ts';
import { leaderboardRangeTable } from './leaderboard-range.entity.ts';
import { CHANGES, LOWEST_SCORE } from './ranks.queries.ts';

/** Deltas in one transaction, each of at most some hundred scores: some milliseconds. */
const BATCH = 1_000;

/** The sizes that keep a rank fast. */
export type RangeLimits = {
  /** The arrivals beyond which a run gets ranges: until then, a rank counts all better entries, and moves cost no ranges. */
  readonly arrivalsMax: number;
  /** The entries of a range beyond which it is split: a rank counts at most so many. */
  readonly entriesMax: number;
  /** The share of all entries that a range may have in any case, so that a huge run has few ranges. */
  readonly shareMax: number;
  /** The number of ranges beyond which small ones are joined: a rank adds up all of them. */
  readonly rangesMax: number;
};

/** While a run moves, to count an entry takes ten times as long as to add a range, because its row is read as well. */
const LIMITS: RangeLimits = { arrivalsMax: 2_048, entriesMax: 512, shareMax: 1 / 6_000, rangesMax: 12_000 };

/** Splits in one transaction, of some milliseconds each. */
const SPLITS = 32;

/** The least distance of two scores: a range of this width has one score, and is never split. */
const STEP: Amount = 1n;

/**
 * Housekeeping: adds the deltas of a client's runs to their ranges, splits ranges that have grown, and makes the ranges of runs that have
 * grown. In small transactions, which no event waits for, except while a run gets its first ranges: that takes some milliseconds.
 * @returns the number of folded deltas
 */
export async function foldDeltas(db: Database, clientId: string, limits: RangeLimits = LIMITS): Promise<number> {
  const runs = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ runId: string }>('select distinct run_id as "runId" from leaderboard_delta where client_id = $1', [
      clientId,
    ]),
  );
  let total = 0;
  for (const { runId } of runs)
    for (let folded = BATCH; folded === BATCH; total += folded) folded = await foldRun(db, clientId, runId, limits);
  return total;
}

/** The clients with deltas, in a system unit of work. */
export async function clientsWithDeltas(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ clientId: string }>('select distinct client_id as "clientId" from leaderboard_delta');
  return rows.map(({ clientId }) => clientId);
}

/** Whether a run has ranges. */
const RANGED = { select: 'has_ranges as "hasRanges"' };

async function foldRun(db: Database, clientId: string, runId: string, limits: RangeLimits): Promise<number> {
  const folded = await db.unitOfWork(clientId, async (uow) => {
    const run = await lockRun<{ hasRanges: boolean }>(uow, runId, { ...RANGED, lock: 'for no key update skip locked' });
    // Another process folds this run.
    if (run === undefined) return { count: 0, isLarge: false };
    const { ids, changes } = await firstDeltas(uow, runId);
    if (run.hasRanges) {
      await addToRanges(uow, runId, ids);
      await removeDeltas(uow, runId, ids);
      await splitRanges(uow, runId, limits);
      return { count: ids.length, isLarge: false };
    }
    const isLarge = await countArrivals(uow, runId, changes, limits);
    await removeDeltas(uow, runId, ids);
    return { count: ids.length, isLarge };
  });
  if (folded.isLarge) await db.unitOfWork(clientId, (uow) => makeRanges(uow, runId, limits));
  return folded.count;
}

/** The first deltas of a run, and the number of changes in them. */
async function firstDeltas(
  uow: UnitOfWork,
  runId: string,
): Promise<{ readonly ids: readonly string[]; readonly changes: number }> {
  const rows = await uow.query<{ id: string; changes: number }>(
    `select id, cardinality(scores_after) as changes from leaderboard_delta where client_id = $1 and run_id = $2 order by client_id, run_id, id limit ${BATCH}`,
    [uow.clientId, runId],
  );
  return { ids: rows.map(({ id }) => id), changes: rows.reduce((sum, { changes }) => sum + changes, 0) };
}

/** SQL of the deltas with the ids `$3` of run `$2`. */
const DELTAS = `unnest($3::uuid[]) as wanted(id) cross join ${lookUpByKey({
  select: 'ctid as row_ctid, scores_before, scores_after',
  from: 'leaderboard_delta',
  key: { run_id: '$2::uuid', id: 'wanted.id' },
})} d`;

async function addToRanges(uow: UnitOfWork, runId: string, ids: readonly string[]): Promise<void> {
  const rows = await uow.query<{ lower: string; change: number }>(
    // A binary search among all bounds takes a tenth of an index look-up for each score.
    `with bounds as materialized (
       select array_agg(lower order by lower) as lowers from leaderboard_range where client_id = $1 and run_id = $2
     )
     select (select lowers from bounds)[moved.range] as lower, sum(moved.change)::int as change
       from (select width_bucket(x.score, (select lowers from bounds)) as range, x.change
               from ${DELTAS} cross join lateral unnest(d.scores_before, d.scores_after) c(score_before, score_after)
              cross join lateral (values (c.score_before, -1), (c.score_after, 1)) x(score, change)
              where x.score is not null) moved
      group by moved.range having sum(moved.change) <> 0 order by moved.range`,
    [uow.clientId, runId, ids],
  );
  await changeRanges(
    uow,
    runId,
    rows.map(({ lower, change }) => ({ lower, change })),
  );
}

/** Adds to the entries of ranges. The caller has locked the run, which locks its ranges. */
async function changeRanges(
  uow: UnitOfWork,
  runId: string,
  changes: ReadonlyArray<{ readonly lower: string | Amount; readonly change: number }>,
): Promise<void> {
  await uow.query(
    `update leaderboard_range g set entries = g.entries + c.change
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::bigint[], $4::int[]) as c(run_id, lower, change)',
         alias: 'c',
         table: 'leaderboard_range',
         key: { run_id: 'c.run_id', lower: 'c.lower' },
       })}
      where g.client_id = $1 and g.ctid = c.row_ctid`,
    [uow.clientId, changes.map(() => runId), changes.map(({ lower }) => lower), changes.map(({ change }) => change)],
  );
}

async function removeDeltas(uow: UnitOfWork, runId: string, ids: readonly string[]): Promise<void> {
  await uow.query(
    `delete from leaderboard_delta t using (select d.row_ctid from ${DELTAS}) d where t.client_id = $1 and t.ctid = d.row_ctid`,
    [uow.clientId, runId, ids],
  );
}

/** Counts arrivals of a run without ranges. @returns whether it needs ranges now */
async function countArrivals(
  uow: UnitOfWork,
  runId: string,
  arrivals: number,
  { arrivalsMax }: RangeLimits,
): Promise<boolean> {
  const [row] = await updateRun<{ arrivals: number }>(uow, runId, {
    ...{ set: 'arrivals = arrivals + $3', values: [arrivals] },
    returning: 'returning r.arrivals',
  });
  return row!.arrivals > arrivalsMax;
}

const insertRanges = insertInto(leaderboardRangeTable);

/** A range with its bounds; `next` is undefined for the last one. */
type Range = { readonly lower: Amount; readonly next: Amount | undefined; readonly entries: number };

/** Makes the first ranges of a run, while no event can write its entries. */
async function makeRanges(uow: UnitOfWork, runId: string, limits: RangeLimits): Promise<void> {
  const run = await lockRun<{ hasRanges: boolean }>(uow, runId, { ...RANGED, lock: 'for update' });
  if (run === undefined || run.hasRanges) return;
  const [row] = await uow.query<{ entries: number }>(
    `select count(*)::int as entries from leaderboard_entry where client_id = $1 and run_id = $2 and ${IS_LISTED}`,
    [uow.clientId, runId],
  );
  await insertRanges(uow, [{ runId, lower: LOWEST_SCORE, entries: row!.entries }]);
  // The count has all of them.
  await uow.query('delete from leaderboard_delta where client_id = $1 and run_id = $2', [uow.clientId, runId]);
  await updateRun(uow, runId, { set: 'has_ranges = true', values: [] });
  await splitRanges(uow, runId, limits);
}

/** Splits ranges that have grown too large, and joins small ones if there are too many. The next fold continues where many have grown. */
async function splitRanges(uow: UnitOfWork, runId: string, limits: RangeLimits): Promise<void> {
  let splits = 0;
  for (let before = -1; splits > before && splits < SPLITS;) {
    before = splits;
    for (const range of await largeRanges(uow, runId, limits)) if (await splitRange(uow, runId, range)) splits += 1;
  }
  if (splits > 0) await joinRanges(uow, runId, limits);
}

async function largeRanges(uow: UnitOfWork, runId: string, { entriesMax, shareMax }: RangeLimits): Promise<Range[]> {
  const rows = await uow.query<{ lower: string; next: string | null; entries: number }>(
    `select g.lower, n.lower as next, g.entries
       from leaderboard_range g
       left join lateral (select lower from leaderboard_range n
                           where n.client_id = $1 and n.run_id = $2 and n.lower > g.lower
                           order by n.client_id, n.run_id, n.lower limit 1) n on true
      where g.client_id = $1 and g.run_id = $2
        and g.entries > greatest($3::int, (select sum(entries) * $4::float8 from leaderboard_range where client_id = $1 and run_id = $2))
        and (n.lower is null or n.lower > g.lower + ${STEP})
      limit ${SPLITS}`,
    [uow.clientId, runId, entriesMax, shareMax],
  );
  return rows.map(({ lower, next, entries }): Range => {
    return { lower: BigInt(lower), next: next === null ? undefined : BigInt(next), entries };
  });
}

/**
 * Splits a range at its median. If that is its lower bound, a score that many entries share, it is split right above: then no rank counts the
 * entries of another score. @returns whether it was split; not if its entries have left it meanwhile
 */
async function splitRange(uow: UnitOfWork, runId: string, { lower, next, entries }: Range): Promise<boolean> {
  const inRange = `client_id = $1 and run_id = $2 and ${IS_LISTED} and score >= $3::bigint and ($4::bigint is null or score < $4::bigint)`;
  const [row] = await uow.query<{ median: string }>(
    `select score as median from leaderboard_entry where ${inRange}
      order by client_id, run_id, score, reached_at, account_id
     offset (select count(*) / 2 from leaderboard_entry where ${inRange}) limit 1`,
    [uow.clientId, runId, lower, next === undefined ? null : next],
  );
  if (row === undefined) return false;
  const median = BigInt(row.median);
  const at = median > lower ? median : lower + STEP;
  const left = await countBetween(uow, runId, lower, at);
  await changeRanges(uow, runId, [{ lower: lower, change: left - entries }]);
  await insertRanges(uow, [{ runId, lower: at, entries: entries - left }]);
  return true;
}

/** The entries between two scores, as ranges count them. Entries have the deltas that are not folded, so one statement reads both. */
async function countBetween(uow: UnitOfWork, runId: string, from: Amount, until: Amount): Promise<number> {
  const isBetween = (score: string) => `coalesce((${score} >= $3::bigint and ${score} < $4::bigint)::int, 0)`;
  const [row] = await uow.query<{ entries: number }>(
    `select ((select count(*) from leaderboard_entry
               where client_id = $1 and run_id = $2 and ${IS_LISTED} and score >= $3::bigint and score < $4::bigint)
           - (select coalesce(sum(${isBetween('score_after')} - ${isBetween('score_before')}), 0)
                from ${CHANGES}))::int as entries`,
    [uow.clientId, runId, from, until],
  );
  return row!.entries;
}

/** Joins neighbours that are small together, if there are too many ranges: scores that move on leave empty ranges behind. */
async function joinRanges(uow: UnitOfWork, runId: string, { entriesMax, rangesMax }: RangeLimits): Promise<void> {
  const rows = await uow.query<{ lower: string; entries: number }>(
    'select lower, entries from leaderboard_range where client_id = $1 and run_id = $2 order by lower',
    [uow.clientId, runId],
  );
  if (rows.length <= rangesMax) return;
  const joined: Array<{ runId: string; lower: Amount; entries: number }> = [];
  for (const { lower, entries } of rows) {
    const last = joined.at(-1);
    if (last !== undefined && last.entries + entries <= entriesMax / 2) last.entries += entries;
    else joined.push({ runId, lower: BigInt(lower), entries });
  }
  await uow.query('delete from leaderboard_range where client_id = $1 and run_id = $2', [uow.clientId, runId]);
  await insertRanges(uow, joined);
}
