import type { Database } from '../database.ts';

/**
 * The database for work in the background that can wait: none of its units of work waits for a lock for longer than `lockMs`
 * milliseconds, since others wait meanwhile for what it has locked already. Then it throws PostgreSQL's own error, for
 * which `isLockTimeout` is true.
 */
export function waitingBriefly(db: Database, lockMs: number): Database {
  return {
    ...db,
    unitOfWork: (clientId, work) =>
      db.unitOfWork(clientId, async (uow) => {
        await uow.set({ lock_timeout: lockMs });
        return work(uow);
      }),
  };
}
