import type { Database } from '../../persistence/database.ts';

/** Sessions per transaction, deleted with their tokens. */
const BATCH = 200;

/**
 * Deletes a client's sessions that ended before `olderThan`, and returns their number. It uses small transactions, so
 * that it may be stopped at any point and continued later.
 */
export async function deleteOldSessions(db: Database, clientId: string, olderThan: Date): Promise<number> {
  for (let forgotten = 0; ;) {
    const last = await db.unitOfWork(clientId, (uow) =>
      uow.query(
        `delete from console_session s
          using (select ctid as row_ctid from console_session
                  where client_id = $1 and least(ended_at, expires_at) < $2 order by id limit ${BATCH}) old
          where s.client_id = $1 and s.ctid = old.row_ctid
         returning 1`,
        [clientId, olderThan],
      ),
    );
    forgotten += last.length;
    if (last.length < BATCH) return forgotten;
  }
}
