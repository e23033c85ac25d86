import type { UnitOfWork } from '../persistence/database.ts';
import { EFFECTS_WITHOUT_EVENT } from './journal-row.ts';

/**
 * The number of events of each account that were sent in a span, counted or not. Backfilled and dead events, reversals and erased entries
 * are left out. It parses every entry of the span, 0.5 ms for a batch of 200, so the span must be short.
 */
export async function eventsByAccount(
  uow: UnitOfWork,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<Array<{ readonly accountId: string; readonly amount: number }>> {
  // The plan depends on the times, which exclude partitions by day.
  await uow.set({ plan_cache_mode: 'force_custom_plan' });
  return uow.query(
    `select e.account_id as "accountId", count(*)::int as amount
       from journal_batch b
      cross join lateral rows from (unnest(b.account_ids), json_array_elements(b.entries)) as e(account_id, entry)
      where b.client_id = $1 and b.recorded_at >= $2 and b.recorded_at < $3 and e.account_id is not null
        and (e.entry ->> 2)::int <> all($4::int[]) and e.entry -> 6 -> 'b' is null
      group by e.account_id`,
    [uow.clientId, from, until, EFFECTS_WITHOUT_EVENT],
  );
}
