import { firstIdAt, NIL_UUID } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';
import { deleteFirst, deleteInBatches } from '../persistence/delete-in-batches.ts';

/** Rows per transaction. */
const BATCH = 1_000;

/**
 * Housekeeping: deletes a client's refused calls and counts of calls from before a moment.
 * @returns the number of deleted rows
 */
export async function deleteOldCalls(db: Database, clientId: string, before: Date): Promise<number> {
  const calls = await deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    deleteBatch: (uow, from = NIL_UUID) =>
      deleteFirst(uow, { table: 'refused_call', by: 'id', from, before: firstIdAt(before), limit: BATCH }),
  });
  const counts = await deleteInBatches<Date>(db, clientId, {
    batch: BATCH,
    deleteBatch: (uow, from = new Date(0)) =>
      deleteFirst(uow, { table: 'call_count', by: 'hour', from, before, limit: BATCH }),
  });
  return calls + counts;
}
