import type { Database } from '../persistence/database.ts';
import { forgetOperations } from './operations.queries.ts';

/** Operations in one transaction. */
const BATCH = 1_000;

/**
 * Forgets a client's operation ids that are older than `before`: housekeeping. Small transactions, so that it may be
 * stopped at any point and goes on where it was.
 * @returns how many it forgot
 */
export async function forgetOldOperations(db: Database, clientId: string, before: Date): Promise<number> {
  for (let forgotten = 0; ;) {
    const last = await db.unitOfWork(clientId, (uow) => forgetOperations(uow, before, BATCH));
    forgotten += last;
    if (last < BATCH) return forgotten;
  }
}
