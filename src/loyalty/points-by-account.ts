import { firstIdAt } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The points that rewards paid to each account in a span. Ids of entries have their times, so the primary key finds them. */
export function pointsByAccount(
  uow: UnitOfWork,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<Array<{ readonly accountId: string; readonly amount: number }>> {
  return uow.query(
    `select account_id as "accountId", sum(amount)::float8 as amount from point_entry
      where client_id = $1 and id >= $2 and id < $3 and type = 'EARN' group by account_id`,
    [uow.clientId, firstIdAt(from), firstIdAt(until)],
  );
}
