import { RECEIVERS } from '../configuration/webhook-target.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DeletedBatch, deleteFirst } from '../../persistence/delete-in-batches.ts';

/** The oldest rows of the delivery log with ids from `from`, older than `olderThan`, at most `limit`. */
export type OldDeliveries = { readonly from: string; readonly olderThan: Date; readonly limit: number };

/**
 * Deletes along the primary key, whose ids sort by time: without an index on the moment, and without reading the rest. `last` is the
 * highest id.
 */
export function deleteOldDeliveries(
  uow: UnitOfWork,
  { from, olderThan, limit }: OldDeliveries,
): Promise<DeletedBatch<string>> {
  return deleteFirst(uow, { table: 'webhook_delivery', by: 'id', from, before: firstIdAt(olderThan), limit });
}

/** Messages that a DELETE of their receiver could not see, because their transaction had not committed yet. */
export function deleteOrphans(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  return deleteOrphansOf('outbox_message', uow, olderThan, limit);
}

/** The same for messages that wait for a retry. */
export function deleteOrphanedRetries(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  return deleteOrphansOf('webhook_retry', uow, olderThan, limit);
}

async function deleteOrphansOf(
  table: 'outbox_message' | 'webhook_retry',
  uow: UnitOfWork,
  olderThan: Date,
  limit: number,
): Promise<number> {
  const rows = await uow.query(
    `delete from ${table} m
      using (
        select o.ctid as row_ctid from ${table} o
         where o.client_id = $1 and o.id < $2
           and not exists (select from ${RECEIVERS}
                            where c.client_id = $1 and c.configuration_id = o.configuration_id)
         order by o.id limit $3) orphan
      where m.client_id = $1 and m.ctid = orphan.row_ctid
     returning 1`,
    [uow.clientId, firstIdAt(olderThan), limit],
  );
  return rows.length;
}
