import type { Database } from '../persistence/database.ts';
import { deleteInBatches } from '../persistence/delete-in-batches.ts';
import { deleteOperationsBefore } from './operations.queries.ts';

/** Operations in one transaction. */
const BATCH = 500;

/** No operation is as old as this. */
const BEGINNING = new Date(0);

/**
 * Forgets a client's operation ids that are older than `before`: housekeeping.
 * @returns how many it forgot
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
