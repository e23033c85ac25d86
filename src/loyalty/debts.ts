import { DEBT_PAID } from './move-points.ts';

/** SQL for joins of other modules: the debt of each account of client `$1`, and the points that have paid debts so far. */
export const DEBTS = `(
  select account_id, coalesce(b.debt, 0) as debt, coalesce(e.paid, 0) as paid
    from (select account_id, debt from point_balance where client_id = $1) b
    full join (select account_id, -sum(amount) as paid from point_entry
                where client_id = $1 and type = 'REVERSE' and source_type = '${DEBT_PAID}' group by account_id) e
   using (account_id))`;
