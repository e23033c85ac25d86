import type { Database } from '../database.ts';

/**
 * The database for background work: none of its units of work waits for a lock for longer than `lockMs` milliseconds, because others
 * wait meanwhile for its own locks. After that time it throws PostgreSQL's error, for which `isLockTimeout` is true.
 */
export function withLockTimeout(db: Database, lockMs: number): Database {
  return {
    ...db,
    unitOfWork: (clientId, work) =>
      db.unitOfWork(clientId, async (uow) => {
        await uow.set({ lock_timeout: lockMs });
        return work(uow);
      }),
  };
}
