import type { Database } from '../persistence/database.ts';
import { deleteRefusalsBefore } from './refusals.queries.ts';

/** Rows in one transaction. */
const BATCH = 1_000;

/** Hours; several times longer than a call may take effect after it was received. */
const KEPT_HOURS = 1;

/**
 * Forgets a client's refused operation ids that no attempt is old enough for any more: housekeeping.
 * @returns how many it forgot
 */
export async function deleteOldOperationRefusals(db: Database, clientId: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
  for (let forgotten = 0; ;) {
    const last = await db.unitOfWork(clientId, (uow) => deleteRefusalsBefore(uow, before, BATCH));
    forgotten += last;
    if (last < BATCH) return forgotten;
  }
}
