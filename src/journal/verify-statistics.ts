import { MERGED_ACCOUNTS } from '../accounts/resolving/aliases.queries.ts';
import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { PAST_SUMS, SUMMED_VALUES, VALUE_ID } from '../statistics/verify-statistics.ts';

/** Batches up to which sums are added up again. More take hours. */
const BATCHES_MAX = 100_000;

/** Whether more batches of the client's journal fulfil a condition than are added up. */
export async function isTooLarge(uow: UnitOfWork, condition = 'true'): Promise<boolean> {
  const [journal] = await uow.query<{ batches: number }>(
    `select count(*)::int as batches
       from (select from journal_batch where client_id = $1 and ${condition} limit ${BATCHES_MAX + 1}) counted`,
    [uow.clientId],
  );
  return journal!.batches > BATCHES_MAX;
}

/**
 * Recomputes the client's statistics of COUNT and SUM, if the journal has all of their events and is not too large. It loses whole days, so
 * it has all events of a statistic that was created on the day of its oldest entry or later.
 */
export async function verifySummedStatistics(uow: UnitOfWork): Promise<Difference[]> {
  if (await isTooLarge(uow, 'statistic_ids is not null')) return [];
  return uow.query<Difference>(
    `with moves as (
       select coalesce(m.merged_into, a.account_id) as account_id, b.statistic_ids[(t.move ->> 0)::int] as statistic_id,
              (t.move ->> 1)::int as period, sum((t.move ->> 2)::numeric) / 10000 as moved
         from journal_batch b
        cross join lateral unnest(b.account_ids) with ordinality a(account_id, entry)
        cross join lateral json_array_elements(b.entries -> (a.entry - 1)::int -> 6 -> 't') t(move)
         left join ${MERGED_ACCOUNTS} m on m.id = a.account_id
        where b.client_id = $1 and b.statistic_ids is not null group by 1, 2, 3
     )
     select 'account_statistic.value' as subject, ${VALUE_ID} as id, s.value::text as stored, d.recomputed::text
       from ${SUMMED_VALUES} s
       left join moves m on m.account_id = s.account_id and m.statistic_id = s.statistic_id and m.period = s.period
       left join ${PAST_SUMS} p on p.account_id = s.account_id and p.statistic_id = s.statistic_id and p.period = s.period
      cross join lateral (
        select (s.corrected + coalesce(s.base, 0) + coalesce(p.moved, 0) + coalesce(m.moved, 0))::numeric(20, 4) as recomputed
      ) d
      where s.value <> d.recomputed
        and s.created_at >= (select date_trunc('day', min(recorded_at), 'UTC') from journal_batch where client_id = $1)
      order by 2`,
    [uow.clientId],
  );
}
