import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteInBatches } from '../../persistence/delete-in-batches.ts';
import { removeDeleted } from '../../persistence/remove-deleted.ts';

/** Rows per transaction. */
const BATCH = 500;

/** Housekeeping: removes the levels of deleted tracks. @returns the number of removed rows */
export function removeDeletedLevels(db: Database, clientId: string, now: Date): Promise<number> {
  return removeDeleted(db, clientId, now, {
    select: `select track_id as id, deleted_at as "deletedAt" from deleted_level_track where client_id = $1`,
    forget: 'delete from deleted_level_track where client_id = $1 and track_id = $2',
    remove: (id) => removeRows(db, clientId, id),
  });
}

function removeRows(db: Database, clientId: string, trackId: string): Promise<number> {
  return deleteInBatches<string>(db, clientId, {
    batch: BATCH,
    async deleteBatch(uow, from = NIL_UUID) {
      const rows = await uow.query<{ accountId: string }>(
        `delete from account_level d
          using (select ctid as row_ctid from account_level
                  where client_id = $1::uuid and track_id = $2 and account_id >= $3
                  order by client_id, track_id, account_id limit $4) old
          where d.client_id = $1::uuid and d.ctid = old.row_ctid
         returning d.account_id as "accountId"`,
        [clientId, trackId, from, BATCH],
      );
      const last = rows
        .map(({ accountId }) => accountId)
        .toSorted()
        .at(-1);
      return { count: rows.length, last };
    },
  });
}

/** The clients with deleted tracks, in a system unit of work. */
export function clientsWithDeletedTracks(uow: UnitOfWork): Promise<string[]> {
  return clientsWith(uow, 'select from deleted_level_track where client_id = c.id limit 1', []);
}
