import { firstIdAt, NIL_UUID } from '../../kernel/ids.ts';
import type { Database } from '../../persistence/database.ts';
import { deleteFirst, deleteInBatches } from '../../persistence/delete-in-batches.ts';

/** Rows per transaction. */
const BATCH = 500;

/**
 * Housekeeping: deletes the reversed amounts of events that the journal does not have any more.
 * @param before the time of the journal's oldest entries
 * @returns the number of deleted rows
 */
export function deleteOldReversals(db: Database, clientId: string, before: Date): Promise<number> {
  return deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    deleteBatch: (uow, from = NIL_UUID) =>
      deleteFirst(uow, { table: 'trigger_reversal', by: 'batch_id', from, before: firstIdAt(before), limit: BATCH }),
  });
}
