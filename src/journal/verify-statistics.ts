import { accountStateSql } from '../accounts/accounts-where.ts';
import type { Difference } from '../kernel/difference.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { SUMMED_PARTS, VALUE_ID } from '../statistics/verify-statistics.ts';

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
 * it has all events of a statistic that was created on the day of its oldest entry or later. It is one sum over all parts, and looks up an
 * account for each: joins of large tables take minutes if PostgreSQL has not analysed them.
 */
export async function verifySummedStatistics(uow: UnitOfWork): Promise<Difference[]> {
  if (await isTooLarge(uow, 'statistic_ids is not null')) return [];
  return uow.query<Difference>(
    `with moves as (
       select b.account_ids[e.number] as account_id, b.statistic_ids[(t.move ->> 0)::int] as statistic_id,
              (t.move ->> 1)::int as period, sum((t.move ->> 2)::numeric) / 10000 as amount
         from journal_batch b
        cross join lateral json_array_elements(b.entries) with ordinality e(entry, number)
        cross join lateral json_array_elements(e.entry -> 6 -> 't') t(move)
        where b.client_id = $1 and b.statistic_ids is not null group by 1, 2, 3
     ), sums as (
       select account_id, statistic_id, period, max(stored) as stored, max(created_at) as created_at, sum(amount) as amount
         from (${SUMMED_PARTS}
               union all
               select account_id, statistic_id, period, amount, null, null from moves) parts
        group by 1, 2, 3
     ), values_of_accounts as (
       select o.survivor as account_id, s.statistic_id, s.period, max(s.stored) filter (where o.is_live) as stored,
              max(s.created_at) as created_at, sum(s.amount)::numeric(20, 4) as recomputed
         from sums s cross join ${accountStateSql('s.account_id')} o group by 1, 2, 3
     )
     select 'account_statistic.value' as subject, ${VALUE_ID} as id, s.stored::text, s.recomputed::text
       from values_of_accounts s
      where s.stored <> s.recomputed
        and s.created_at >= (select date_trunc('day', min(recorded_at), 'UTC') from journal_batch where client_id = $1)
      order by 2`,
    [uow.clientId],
  );
}
