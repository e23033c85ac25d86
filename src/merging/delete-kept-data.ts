import { firstIdAt, NIL_UUID } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';
import { UNDOABLE_MS } from './merge-message.ts';

/** Merges in one transaction. */
const BATCH = 100;

/**
 * Housekeeping: deletes the data of undos that are not possible any more.
 * @returns the number of merges whose data was deleted
 */
export async function deleteKeptData(db: Database, clientId: string, now: Date): Promise<number> {
  const before = firstIdAt(new Date(now.getTime() - UNDOABLE_MS));
  let deleted = 0;
  for (let from: string = NIL_UUID; ;) {
    const rows = await db.unitOfWork(clientId, (uow) =>
      uow.query<{ id: string }>(
        `update account_merge m set kept = null
           from (select ctid as row_ctid from account_merge
                  where client_id = $1::uuid and id >= $2 and id < $3 and kept is not null order by client_id, id limit ${BATCH}) old
          where m.client_id = $1::uuid and m.ctid = old.row_ctid returning m.id`,
        [clientId, from, before],
      ),
    );
    deleted += rows.length;
    if (rows.length < BATCH) return deleted;
    from = rows.reduce((latest, { id }) => (id > latest ? id : latest), from);
  }
}
