import type { Amount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { IS_LISTED } from '../entries/leaderboard-entry.entity.ts';
import { CHANGES, LOWEST_SCORE } from './ranks.queries.ts';

/** The last entry of a share of a run. */
export type ShareEnd = {
  /** The part of all entries, above 0 and at most 1. */
  readonly share: number;
  /** Its place in the list, from 1: the share of all entries, rounded up. */
  readonly place: number;
  readonly score: Amount;
};

/**
 * The last entries of some shares of a run, and the number of all of its entries: exact in the snapshot of the statement. Adding up the
 * ranges, with the changes that they do not count yet, gives the range of each place. The entry is found from the beginning of its range. A
 * range of one score is never read, because many entries may share it. A run without ranges is one range of all of its entries. Ranges are
 * found in arrays, because a join of them may be planned as a comparison of all with all.
 * @param shares decimals above 0 and at most 1
 * @returns the ends by their shares; none without entries
 */
export async function endsOfShares(
  uow: UnitOfWork,
  runId: string,
  shares: readonly number[],
): Promise<{ readonly entries: number; readonly ends: readonly ShareEnd[] }> {
  const rows = await uow.query<{ entries: number; share: number; place: number; score: string }>(
    `with stored as materialized (
       select lower, entries, row_number() over (order by lower) as number from leaderboard_range where client_id = $1 and run_id = $2
     ), bounds as materialized (
       select array_agg(lower order by lower) as lowers from stored
     ), moved as materialized (
       select width_bucket(x.score, (select lowers from bounds)) as number, sum(x.change) as change
         from (select c.score_before, c.score_after from ${CHANGES}) c
        cross join lateral (values (c.score_before, -1), (c.score_after, 1)) x(score, change)
        where x.score is not null and exists (select from stored)
        group by 1
     ), ranges as materialized (
       select g.number, max(g.lower) as lower, sum(g.entries) as entries
         from (select number, lower, entries from stored
               union all select number, null, change from moved
               union all
               select 1, ${LOWEST_SCORE}, (select count(*) from leaderboard_entry where client_id = $1 and run_id = $2 and ${IS_LISTED})
                where not exists (select from stored)) g
        group by g.number
     ), run as materialized (
       select array_agg(lower order by number) as lowers, array_agg((until - entries)::bigint order by number) as befores, sum(entries) as entries
         from (select number, lower, entries, sum(entries) over (order by number) as until from ranges) g
     ), places as materialized (
       select w.share, r.entries, p.place, r.lowers[n.number] as lower, r.lowers[n.number + 1] as next, r.befores[n.number] as before
         from run r cross join unnest($3::numeric[]) as w(share)
        cross join lateral (select ceil(w.share * r.entries)::bigint as place offset 0) p
        cross join lateral (select width_bucket(p.place - 1, r.befores) as number offset 0) n
        where r.entries > 0
     )
     select p.entries::int as entries, p.share::float8 as share, p.place::int as place,
            case when p.next = p.lower + 1 then p.lower
                 else (select e.score from leaderboard_entry e
                        where e.client_id = $1 and e.run_id = $2 and ${IS_LISTED} and e.score >= p.lower
                        order by e.client_id, e.run_id, e.score, e.reached_at, e.account_id
                       offset p.place - p.before - 1 limit 1) end as score
       from places p order by p.share`,
    [uow.clientId, runId, shares],
  );
  const ends = rows.map(({ share, place, score }) => ({ share, place, score: BigInt(score) }));
  return { entries: rows[0]?.entries ?? 0, ends };
}
