import { MERGED_ACCOUNTS } from '../accounts/resolving/aliases.queries.ts';
import { DEBT_PAID } from './move-points.ts';

/** SQL for joins of other modules: the debt of each account of client `$1`, and the points that have paid its debts and those of its aliases so far. */
export const DEBTS = `(
  select account_id, coalesce(b.debt, 0) as debt, coalesce(e.paid, 0) as paid
    from (select account_id, debt from point_balance where client_id = $1) b
    full join (select coalesce(m.merged_into, p.account_id) as account_id, -sum(p.amount) as paid
                 from (select * from point_entry where client_id = $1 and type = 'REVERSE' and source_type = '${DEBT_PAID}') p
                 left join ${MERGED_ACCOUNTS} m on m.id = p.account_id group by 1) e
   using (account_id))`;
