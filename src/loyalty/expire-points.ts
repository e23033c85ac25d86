import type { Database } from '../persistence/database.ts';
import { dueAccounts } from './loyalty.queries.ts';
import { settleAccounts } from './settled-balance.ts';

/** Lots looked at in one transaction. */
const BATCH = 500;

/**
 * Enters what has expired by `now` in accounts that nobody reads or moves points of: housekeeping, of which no answer
 * depends. Small transactions, so that it may be stopped at any point and goes on where it was.
 * @returns how many accounts it settled
 */
export async function expirePoints(db: Database, clientId: string, now: Date): Promise<number> {
  for (let settled = 0; ;) {
    const accountIds = await db.unitOfWork(clientId, async (uow) => {
      const due = await dueAccounts(uow, now, BATCH);
      await settleAccounts(uow, due, now);
      return due;
    });
    if (accountIds.length === 0) return settled;
    settled += accountIds.length;
  }
}
