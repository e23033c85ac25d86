import type { StatisticSource } from '../engine/statistics/statistic-value.ts';
import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/**
 * Recomputes the client's statistics of DAYS from their days, those of MAX, LAST and POINTS from what can be taken back, and those of
 * MISSIONS from the completed missions. The journal recomputes COUNT and SUM of events.
 */
export async function verifyStatistics(uow: UnitOfWork): Promise<Difference[]> {
  return [
    ...(await verifyDays(uow)),
    ...(await verifyOthers(uow)),
    ...(await verifyAdded(uow, 'POINTS', 'account_statistic_event', 'value')),
    ...(await verifyAdded(uow, 'MISSIONS', 'account_statistic_mission', 'rounds')),
  ];
}

/** SQL of the id of a value `s` in a difference. */
export const VALUE_ID = `concat_ws(' ', s.account_id, s.statistic_id, s.period)`;

/** SQL for the rewards: the points that statistics of client `$1` have counted of earned rewards. */
export const COUNTED_POINTS = `(select e.batch_id as earned_reward_id, e.statistic_id, e.value
   from account_statistic_event e
   join statistic_definition f on f.client_id = e.client_id and f.id = e.statistic_id and f.source = 'POINTS'
  where e.client_id = $1)`;

/**
 * SQL for the journal: what adds up to the values of COUNT and SUM of events of client `$1`, beside the moves of the journal. The row of a
 * value has it as `stored`, with the creation of its statistic.
 */
export const SUMMED_PARTS = `
  select s.account_id, s.statistic_id, s.period, s.corrected + coalesce(s.base, 0) as amount, s.value as stored, f.created_at
    from account_statistic s join statistic_definition f on f.client_id = s.client_id and f.id = s.statistic_id
   where s.client_id = $1 and f.source = 'EVENTS' and s.aggregation in ('COUNT', 'SUM')
  union all
  select account_id, statistic_id, period, value, null, null from account_statistic_event where client_id = $1`;

function verifyDays(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with days as (
       select account_id, statistic_id, period, count(*) as days from account_statistic_day
        where client_id = $1 and events > 0 group by account_id, statistic_id, period
     )
     select 'account_statistic.value' as subject, ${VALUE_ID} as id, s.value::text as stored, d.recomputed::text
       from account_statistic s left join days using (account_id, statistic_id, period)
      cross join lateral (select (s.corrected + coalesce(days.days, 0))::numeric(20, 4) as recomputed) d
      where s.client_id = $1 and s.aggregation = 'DAYS' and s.value <> d.recomputed order by 2`,
    [uow.clientId],
  );
}

function verifyOthers(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with latest as (
       select distinct on (e.account_id, e.statistic_id, e.period) e.*
         from account_statistic_event e join account_statistic s using (client_id, account_id, statistic_id, period)
        where e.client_id = $1
        order by e.account_id, e.statistic_id, e.period, case when s.aggregation = 'MAX' then e.value end desc nulls last,
                 e.occurred_at desc, e.batch_id desc, e.entry desc
     )
     select 'account_statistic.value' as subject, ${VALUE_ID} as id, s.value::text as stored, d.recomputed::text
       from account_statistic s left join latest e using (client_id, account_id, statistic_id, period)
      cross join lateral (
        select case when s.aggregation = 'MAX' then greatest(s.base, e.value)
                    when s.base_at is null or e.occurred_at >= s.base_at then coalesce(e.value, s.base) else s.base end as recomputed
      ) d
      where s.client_id = $1 and s.aggregation in ('MAX', 'LAST') and s.value is distinct from d.recomputed order by 2`,
    [uow.clientId],
  );
}

/** Recomputes the values of a source from the rows that say what moved them. The parts of the row are constant SQL. */
function verifyAdded(
  uow: UnitOfWork,
  source: StatisticSource,
  table: 'account_statistic_event' | 'account_statistic_mission',
  column: 'value' | 'rounds',
): Promise<Difference[]> {
  return uow.query<Difference>(
    `with moves as (
       select account_id, statistic_id, period, sum(${column}) as moved from ${table}
        where client_id = $1 group by account_id, statistic_id, period
     )
     select 'account_statistic.value' as subject, ${VALUE_ID} as id, s.value::text as stored, d.recomputed::text
       from account_statistic s
       join statistic_definition f on f.client_id = s.client_id and f.id = s.statistic_id and f.source = $2
       left join moves on moves.account_id = s.account_id and moves.statistic_id = s.statistic_id and moves.period = s.period
      cross join lateral (select (s.corrected + coalesce(s.base, 0) + coalesce(moves.moved, 0))::numeric(20, 4) as recomputed) d
      where s.client_id = $1 and s.value <> d.recomputed order by 2`,
    [uow.clientId, source],
  );
}
