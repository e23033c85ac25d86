import { NIL_UUID } from '../../kernel/ids.ts';
import type { Database } from '../../persistence/database.ts';
import { deleteInBatches } from '../../persistence/delete-in-batches.ts';
import { deleteOldDeliveries, deleteOrphanedRetries, deleteOrphans } from './housekeeping.queries.ts';

/** The maximum of rows in one transaction: some ten milliseconds of work, so that its locks are short. */
const BATCH = 1_000;

/**
 * A scheduled job that deletes a client's delivery log before `olderThan`, and messages of deleted receivers. It uses small
 * transactions, so that it may be stopped at any point and continued later.
 * @returns the number of deleted rows
 */
export async function deleteOldWebhookRows(
  db: Database,
  clientId: string,
  { olderThan, batch = BATCH }: { readonly olderThan: Date; readonly batch?: number },
): Promise<number> {
  let deleted = await deleteInBatches<string>(db, clientId, {
    batch,
    deleteBatch: (uow, from = NIL_UUID) => deleteOldDeliveries(uow, { from, olderThan, limit: batch }),
  });
  for (const deleteSome of [deleteOrphans, deleteOrphanedRetries]) {
    for (let last = batch; last === batch; deleted += last) {
      last = await db.unitOfWork(clientId, (uow) => deleteSome(uow, olderThan, batch));
    }
  }
  return deleted;
}
