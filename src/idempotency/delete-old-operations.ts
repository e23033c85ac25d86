import type { Database } from '../persistence/database.ts';
import { deleteInBatches } from '../persistence/delete-in-batches.ts';
import { deleteOperationsBefore } from './operations.queries.ts';

/** Operations per transaction. */
const BATCH = 500;

/** A time before any operation. */
const BEGINNING = new Date(0);

/**
 * Housekeeping: deletes a client's operation ids that are older than `before`.
 * @returns the number of deleted ids
 */
export function deleteOldOperations(
  db: Database,
  clientId: string,
  before: Date,
  { batch = BATCH }: { readonly batch?: number } = {},
): Promise<number> {
  return deleteInBatches<Date>(db, clientId, {
    batch,
    deleteBatch: (uow, from = BEGINNING) => deleteOperationsBefore(uow, { from, before, batch }),
  });
}
