import { clientsWith } from '../../clients/client-ids.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { DAY } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteInBatches } from '../../persistence/delete-in-batches.ts';

/** Rows per transaction. */
const BATCH = 500;

/**
 * Housekeeping: removes the levels of deleted tracks. A track is forgotten a day later, when no event that was under way at the deletion can
 * write any more.
 * @returns the number of removed rows
 */
export async function removeDeletedLevels(db: Database, clientId: string, now: Date): Promise<number> {
  const deleted = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string; deletedAt: Date }>(
      `select track_id as id, deleted_at as "deletedAt" from deleted_level_track where client_id = $1`,
      [clientId],
    ),
  );
  let removed = 0;
  for (const { id, deletedAt } of deleted) {
    removed += await removeRows(db, clientId, id);
    if (now.getTime() - deletedAt.getTime() < DAY) continue;
    await db.unitOfWork(clientId, (uow) =>
      uow.query(`delete from deleted_level_track where client_id = $1 and track_id = $2`, [clientId, id]),
    );
  }
  return removed;
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
