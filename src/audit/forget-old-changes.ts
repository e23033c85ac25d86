import { firstIdAt } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';

/** Rows deleted in one transaction, so that none lasts long. */
const BATCH = 1_000;

/**
 * Deletes a client's audit entries from before `olderThan`, and gives how many there were. In system units of work: those
 * of a client may not delete entries.
 */
export async function forgetOldChanges(db: Database, clientId: string, olderThan: Date): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) deleted = await deleteBatch(db, clientId, olderThan);
  return total;
}

function deleteBatch(db: Database, clientId: string, olderThan: Date): Promise<number> {
  return db.systemUnitOfWork(async (uow) => {
    const rows = await uow.query(
      `delete from audit_entry e
        using (select ctid as place from audit_entry where client_id = $1 and id < $2 order by id limit ${BATCH}) old
        where e.client_id = $1 and e.ctid = old.place
       returning 1`,
      [clientId, firstIdAt(olderThan)],
    );
    return rows.length;
  });
}
