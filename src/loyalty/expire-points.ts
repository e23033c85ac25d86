import { clientsWith } from '../clients/client-ids.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { dueAccounts } from './loyalty.queries.ts';
import { settleAccounts } from './settled-balance.ts';

/** Lots per transaction. */
const BATCH = 500;

/**
 * A scheduled job that stores the expiry of points in accounts without traffic. No answer depends on it. It uses small transactions, so
 * that it may be stopped at any point and continued later.
 * @returns the number of closed lots
 */
export async function expirePoints(db: Database, clientId: string, now: Date): Promise<number> {
  for (let closed = 0; ;) {
    const more = await db.unitOfWork(clientId, async (uow) => {
      const accountIds = await dueAccounts(uow, now, BATCH);
      return accountIds.length === 0 ? 0 : settleAccounts(uow, accountIds, now);
    });
    if (more === 0) return closed;
    closed += more;
  }
}

/** The clients with expired points, in a system unit of work. */
export function clientsWithExpiredPoints(uow: UnitOfWork, now: Date): Promise<string[]> {
  const due = 'select from point_lot where client_id = c.id and remaining > 0 and expires_at <= $1 limit 1';
  return clientsWith(uow, due, [now]);
}
