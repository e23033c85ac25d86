import type { Difference } from '../../kernel/difference.ts';
import { DEBTS } from '../../loyalty/debts.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** Recomputes the debt of each account of the client: the points that its reversed rewards owe, less the payments of its credits. */
export function verifyDebts(uow: UnitOfWork): Promise<Difference[]> {
  return uow.query<Difference>(
    `with owed as (
       select account_id, sum(amount_owed) as owed from earned_reward
        where client_id = $1 and amount_owed is not null group by account_id
     )
     select 'point_balance.debt' as subject, account_id as id, coalesce(d.debt, 0)::text as stored,
            (coalesce(o.owed, 0) - coalesce(d.paid, 0))::text as recomputed
       from ${DEBTS} d full join owed o using (account_id)
      where coalesce(d.debt, 0) <> coalesce(o.owed, 0) - coalesce(d.paid, 0)
      order by account_id`,
    [uow.clientId],
  );
}
