import type { Difference } from '../kernel/difference.ts';
import { MERGED_ACCOUNTS } from '../accounts/resolving/aliases.queries.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** Recomputes every balance of the client from its ledger and lots, and every entry from the previous one. */
export async function verifyPoints(uow: UnitOfWork): Promise<Difference[]> {
  return [...(await verifyBalances(uow)), ...(await verifyLines(uow))];
}

async function verifyBalances(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with entries as (
       select survivor as account_id, sum(amount) as available,
              coalesce(sum(amount) filter (where type in ('EARN', 'REVERSE') or earned), 0) as earned,
              -coalesce(sum(amount) filter (where type in ('SPEND', 'REFUND')), 0) as spent,
              -coalesce(sum(amount) filter (where type = 'EXPIRE'), 0) as expired
         from (select e.*, coalesce(m.merged_into, e.account_id) as survivor from point_entry e
                 left join ${MERGED_ACCOUNTS} m on m.id = e.account_id where e.client_id = $1) e group by survivor
     ), lots as (
       select account_id, sum(remaining) as remaining, min(expires_at) filter (where remaining > 0) as next_expires_at
         from point_lot where client_id = $1 group by account_id
     ), sums as (
       select coalesce(b.account_id, e.account_id, l.account_id) as account_id,
              b.available, b.lifetime_earned, b.spent, b.expired, b.next_expires_at,
              e.available as e_available, e.earned as e_earned, e.spent as e_spent, e.expired as e_expired,
              l.remaining as l_available, l.next_expires_at as l_next
         from (select * from point_balance where client_id = $1) b
         full join entries e on e.account_id = b.account_id
         full join lots l on l.account_id = coalesce(b.account_id, e.account_id)
     )
     select d.subject, s.account_id as id, coalesce(d.stored, 0)::text as stored, coalesce(d.recomputed, 0)::text as recomputed
       from sums s cross join lateral (values
         ('point_balance.available', s.available, s.e_available),
         ('point_balance.lifetime_earned', s.lifetime_earned, s.e_earned),
         ('point_balance.spent', s.spent, s.e_spent),
         ('point_balance.expired', s.expired, s.e_expired),
         ('point_lot.remaining', s.l_available, s.e_available)
       ) as d(subject, stored, recomputed)
      where coalesce(d.stored, 0) <> coalesce(d.recomputed, 0)
     union all
     select 'point_balance.next_expires_at', s.account_id, coalesce(s.next_expires_at::text, 'never'), s.l_next::text
       from sums s where s.l_next < coalesce(s.next_expires_at, 'infinity')
      order by 2, 1`,
    [uow.clientId],
  );
}

async function verifyLines(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `select 'point_entry.balance_after' as subject, id, balance_after::text as stored, recomputed::text
       from (
         select id, balance_after, sum(amount) over (partition by account_id order by created_at) as recomputed
           from point_entry where client_id = $1
       ) lines
      where balance_after <> recomputed order by id`,
    [uow.clientId],
  );
}
