import type { Difference } from '../../kernel/difference.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { IS_LISTED } from '../entries/leaderboard-entry.entity.ts';

/** Recomputes the places that runs have given, the sizes of their groups, and the outcomes of closed runs. */
export async function verifyLeagues(uow: UnitOfWork): Promise<Difference[]> {
  return [...(await verifyPlaces(uow)), ...(await verifyGroups(uow)), ...(await verifyOutcomes(uow))];
}

/** SQL of the places that run `r` has given in league `league`. */
const GIVEN = 'coalesce((r.places ->> (league - 1))::int, 0)';

function verifyPlaces(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'leaderboard_run.places' as subject, concat_ws(' ', r.id, l.league) as id, l.stored::text, c.recomputed::text
       from leaderboard_run r
      cross join lateral (select league, ${GIVEN} as stored
                            from generate_series(1, jsonb_array_length(r.leagues -> 'names')) as league) l
      cross join lateral (select count(*) as recomputed from leaderboard_place p
                           where p.client_id = $1 and p.run_id = r.id and p.league = l.league) c
      where r.client_id = $1 and r.leagues is not null and l.stored <> c.recomputed
      order by 2`,
    [uow.clientId],
  );
}

/** Each group but the last one of a league is full, and no group has more accounts than it may have. */
function verifyGroups(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'leaderboard_place.group_number' as subject, concat_ws(' ', r.id, p.league, p.group_number) as id,
            p.stored::text, p.recomputed::text
       from leaderboard_run r
      cross join lateral (
        select league, group_number, count(*) as stored,
               least((r.leagues ->> 'groupSize')::int, ${GIVEN} - (group_number - 1) * (r.leagues ->> 'groupSize')::int) as recomputed
          from leaderboard_place p where p.client_id = $1 and p.run_id = r.id and p.league is not null
         group by league, group_number) p
      where r.client_id = $1 and r.leagues is not null and p.stored <> p.recomputed
      order by 2`,
    [uow.clientId],
  );
}

function verifyOutcomes(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'leaderboard_place.outcome' as subject, concat_ws(' ', r.id, p.account_id) as id,
            concat_ws(' ', p.outcome, p.final_rank) as stored, concat_ws(' ', p.recomputed, p.rank) as recomputed
       from leaderboard_run r
      cross join lateral (
        select m.account_id, m.outcome, m.final_rank, m.rank,
               case when m.league < jsonb_array_length(r.leagues -> 'names')
                     and m.position <= least((r.leagues ->> 'promoted')::int, m.entries / 2) then 'PROMOTED'
                    when m.league > 1 and m.position > m.entries - least((r.leagues ->> 'relegated')::int, m.entries / 2)
                    then 'RELEGATED' else 'KEPT' end as recomputed
          from (select p.account_id, p.league, p.outcome, p.final_rank,
                       row_number() over (partition by p.league, p.group_number order by e.score, e.reached_at, e.account_id) as position,
                       rank() over (partition by p.league, p.group_number order by e.score) as rank,
                       count(*) over (partition by p.league, p.group_number) as entries
                  from leaderboard_place p
                  join leaderboard_entry e on e.client_id = $1 and e.account_id = p.account_id and e.statistic_id = r.statistic_id
                                          and e.period = r.period and e.run_id = r.id
                 where p.client_id = $1 and p.run_id = r.id and ${IS_LISTED}) m) p
      where r.client_id = $1 and r.leagues is not null and r.status = 'CLOSED'
        and (p.outcome is distinct from p.recomputed or p.final_rank is distinct from p.rank)
      order by 2`,
    [uow.clientId],
  );
}
