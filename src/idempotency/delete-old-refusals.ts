import type { Database } from '../persistence/database.ts';
import { deleteRefusalsBefore } from './refusals.queries.ts';

/** Rows per transaction. */
const BATCH = 1_000;

/** Hours; several times longer than a received call may take effect. */
const KEPT_HOURS = 1;

/**
 * Housekeeping: deletes a client's refusals that are older than any possible attempt.
 * @returns the number of deleted refusals
 */
export async function deleteOldOperationRefusals(db: Database, clientId: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
  for (let deleted = 0; ;) {
    const last = await db.unitOfWork(clientId, (uow) => deleteRefusalsBefore(uow, before, BATCH));
    deleted += last;
    if (last < BATCH) return deleted;
  }
}
