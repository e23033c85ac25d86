import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { IS_LISTED } from '../entries/leaderboard-entry.entity.ts';

/** The lower bound of the first range: below every score. */
export const LOWEST_SCORE: Amount = -9_100_000_000_000_000_000n;

/** SQL of the changes of listed scores in run `$2` that its ranges do not count yet. */
export const CHANGES = `leaderboard_delta d cross join lateral unnest(d.scores_before, d.scores_after) c(score_before, score_after)
 where d.client_id = $1 and d.run_id = $2`;

/** A listed entry. */
export type ListedEntry = { readonly accountId: string; readonly score: Amount; readonly reachedAt: Date };

type EntryRow = { readonly accountId: string; readonly score: string; readonly reachedAt: Date };

const ENTRY = `account_id as "accountId", score, reached_at as "reachedAt"`;

function entryOf({ score, ...row }: EntryRow): ListedEntry {
  return { ...row, score: BigInt(score) };
}

/**
 * The ranks of scores in a run: exact in the snapshot of the statement. It adds up the ranges with better scores, the deltas that these do not
 * count yet, and the entries of the one range that the score divides. `offset 0` keeps its bound a value that an index can use: without it,
 * row-level security makes it a filter over all better entries.
 * @returns one for each score, in order
 */
export async function ranksOf(uow: UnitOfWork, runId: string, scores: readonly Amount[]): Promise<number[]> {
  if (scores.length === 0) return [];
  const rows = await uow.query<{ rank: number }>(
    `select (1 + (select coalesce(sum(g.entries), 0) from leaderboard_range g
                   where g.client_id = $1 and g.run_id = $2 and g.lower < b.lower)
               + (select coalesce(sum(coalesce((c.score_after < b.lower)::int, 0) - coalesce((c.score_before < b.lower)::int, 0)), 0)
                    from ${CHANGES})
               + (select count(*) from leaderboard_entry e
                   where e.client_id = $1 and e.run_id = $2 and ${IS_LISTED} and e.score >= b.lower and e.score < wanted.score))::int as rank
       from unnest($3::bigint[]) with ordinality as wanted(score, index)
      cross join lateral (select coalesce((select g.lower from leaderboard_range g
                                            where g.client_id = $1 and g.run_id = $2 and g.lower <= wanted.score
                                            order by g.client_id desc, g.run_id desc, g.lower desc limit 1), ${LOWEST_SCORE}::bigint) as lower
                             offset 0) b
      order by wanted.index`,
    [uow.clientId, runId, scores],
  );
  return rows.map(({ rank }) => rank);
}

/** The number of listed entries of a run, exact in the snapshot of the statement. */
export async function countEntries(uow: UnitOfWork, runId: string): Promise<number> {
  const [row] = await uow.query<{ entries: number }>(
    `select (case when exists (select from leaderboard_range where client_id = $1 and run_id = $2)
                  then (select sum(entries) from leaderboard_range where client_id = $1 and run_id = $2)
                     + (select count(c.score_after) - count(c.score_before) from ${CHANGES})
                  else (select count(*) from leaderboard_entry where client_id = $1 and run_id = $2 and ${IS_LISTED}) end)::int as entries`,
    [uow.clientId, runId],
  );
  return row!.entries;
}

/** The entries at some places of a run, the best first. */
export async function entriesAt(
  uow: UnitOfWork,
  runId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ListedEntry[]> {
  const rows = await uow.query<EntryRow>(
    `select ${ENTRY} from leaderboard_entry where client_id = $1 and run_id = $2 and ${IS_LISTED}
      order by client_id, run_id, score, reached_at, account_id offset $3 limit $4`,
    [uow.clientId, runId, offset, limit],
  );
  return rows.map(entryOf);
}

/** A place in the list of a run: its entries are before it or after it. */
export type EntryPosition = ListedEntry;

/** The entries after a place, or from the beginning, the best first. */
export async function entriesAfter(
  uow: UnitOfWork,
  runId: string,
  after: EntryPosition | undefined,
  limit: number,
): Promise<ListedEntry[]> {
  if (after === undefined) return entriesAt(uow, runId, { offset: 0, limit });
  const rows = await uow.query<EntryRow>(
    `select ${ENTRY} from leaderboard_entry
      where client_id = $1 and run_id = $2 and ${IS_LISTED}
        and (score, reached_at, account_id) > ($3::bigint, $4::timestamptz, $5::uuid)
      order by client_id, run_id, score, reached_at, account_id limit $6`,
    [uow.clientId, runId, after.score, after.reachedAt, after.accountId, limit],
  );
  return rows.map(entryOf);
}

/** The entries before a place, the nearest first. */
export async function entriesBefore(
  uow: UnitOfWork,
  runId: string,
  before: EntryPosition,
  limit: number,
): Promise<ListedEntry[]> {
  if (limit === 0) return [];
  const rows = await uow.query<EntryRow>(
    `select ${ENTRY} from leaderboard_entry
      where client_id = $1 and run_id = $2 and ${IS_LISTED}
        and (score, reached_at, account_id) < ($3::bigint, $4::timestamptz, $5::uuid)
      order by client_id desc, run_id desc, score desc, reached_at desc, account_id desc limit $6`,
    [uow.clientId, runId, before.score, before.reachedAt, before.accountId, limit],
  );
  return rows.map(entryOf);
}
