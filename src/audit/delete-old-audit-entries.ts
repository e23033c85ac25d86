import { firstIdAt } from '../kernel/ids.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';

/** Rows deleted in one transaction, so that none lasts long. */
const BATCH = 1_000;

/**
 * Deletes a client's audit entries from before `olderThan`, up to a checkpoint, so that the rest can be verified from there. Entries
 * without a position in the chain stay. It uses system units of work, because a client's unit of work may not delete.
 * @returns the number of deleted entries
 */
export async function deleteOldAuditEntries(db: Database, clientId: string, olderThan: Date): Promise<number> {
  const upTo = await db.systemUnitOfWork((uow) => lastToDelete(uow, clientId, olderThan));
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) deleted = await deleteBatch(db, clientId, upTo);
  return total;
}

/** The position of the last checkpoint before the first remaining entry; 0 without one. */
async function lastToDelete(uow: UnitOfWork, clientId: string, olderThan: Date): Promise<string> {
  const [row] = await uow.query<{ position: string | null }>(
    `select max(c.position)::text as position from audit_checkpoint c
      where c.client_id = $1 and c.position < coalesce(
        (select min(position) from audit_seal where client_id = $1 and entry_id >= $2), 9223372036854775807)`,
    [clientId, firstIdAt(olderThan)],
  );
  return row?.position ?? '0';
}

function deleteBatch(db: Database, clientId: string, upTo: string): Promise<number> {
  return db.systemUnitOfWork(async (uow) => {
    const rows = await uow.query(
      `with old as (
         delete from audit_seal s using (
           select ctid as row_ctid from audit_seal where client_id = $1 and position <= $2 order by position limit ${BATCH}) first
          where s.client_id = $1 and s.ctid = first.row_ctid returning s.entry_id),
       gone as (delete from audit_entry e using old where e.client_id = $1 and e.id = old.entry_id)
       select from old`,
      [clientId, upTo],
    );
    return rows.length;
  });
}
