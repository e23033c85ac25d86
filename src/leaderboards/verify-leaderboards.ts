import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import { valueOfKeySql } from '../statistics/values/statistic-sql.ts';
import { IS_LISTED } from './entries/leaderboard-entry.entity.ts';
import { verifyLeagues } from './leagues/verify-leagues.ts';
import { scoreSql } from './entries/score-sql.ts';

/**
 * Recomputes the scores of open runs from the client's statistics, the entries of ranges, the entries of final runs, which nothing changes any
 * more, and the groups of leagues.
 */
export async function verifyLeaderboards(uow: UnitOfWork, now: Date): Promise<Difference[]> {
  return [
    ...(await verifyScores(uow, now)),
    ...(await verifyRanges(uow)),
    ...(await verifyFinalRuns(uow)),
    ...(await verifyLeagues(uow)),
  ];
}

/** SQL of the sign by which a value becomes a score on leaderboard `b`. */
const SIGN = "(case when b.rank_order = 'HIGHEST_FIRST' then -1 else 1 end)";

function verifyScores(uow: UnitOfWork, now: Date): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'leaderboard_entry.score' as subject, concat_ws(' ', e.run_id, e.account_id) as id, e.score::text as stored,
            ${scoreSql(SIGN, 's.value')}::text as recomputed
       from leaderboard_run r
      cross join ${lookUpByKey({ select: 'rank_order', from: 'leaderboard', key: { id: 'r.leaderboard_id' } })} b
       join leaderboard_entry e on e.client_id = $1 and e.run_id = r.id and ${listed('e')}
       left join ${valueOfKeySql('e.account_id', 'e.statistic_id', 'e.period')} s on true
      where r.client_id = $1 and r.status = 'OPEN' and (r.closes_at is null or r.closes_at > $2) and e.score is distinct from ${scoreSql(SIGN, 's.value')}
      order by 2`,
    [uow.clientId, now],
  );
}

function verifyRanges(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with bounds as (
       select run_id, lower, entries, lead(lower) over (partition by run_id order by lower) as next
         from leaderboard_range where client_id = $1
     )
     select 'leaderboard_range.entries' as subject, concat_ws(' ', b.run_id, b.lower) as id, b.entries::text as stored,
            c.recomputed::text
       from bounds b
      cross join lateral (
        select (select count(*) from leaderboard_entry e
                 where e.client_id = $1 and e.run_id = b.run_id and ${IS_LISTED} and e.score >= b.lower
                   and (b.next is null or e.score < b.next))
             - (select count(*) filter (where c.score_after >= b.lower and (b.next is null or c.score_after < b.next))
                     - count(*) filter (where c.score_before >= b.lower and (b.next is null or c.score_before < b.next))
                  from leaderboard_delta d cross join lateral unnest(d.scores_before, d.scores_after) c(score_before, score_after)
                 where d.client_id = $1 and d.run_id = b.run_id) as recomputed) c
      where b.entries <> c.recomputed
      order by 2`,
    [uow.clientId],
  );
}

function verifyFinalRuns(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'leaderboard_run.entries' as subject, r.id::text as id, r.entries::text as stored, c.recomputed::text
       from leaderboard_run r
      cross join lateral (select count(*) as recomputed from leaderboard_entry e
                           where e.client_id = $1 and e.run_id = r.id and ${IS_LISTED}) c
      where r.client_id = $1 and r.status <> 'OPEN' and r.entries <> c.recomputed
      order by 2`,
    [uow.clientId],
  );
}

function listed(alias: string): string {
  return IS_LISTED.replaceAll(/is_\w+/g, (column) => `${alias}.${column}`);
}
