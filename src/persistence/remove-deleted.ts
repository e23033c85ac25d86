import { DAY } from '../kernel/time/timestamp.ts';
import type { Database } from './database.ts';

/** The deleted definitions of a module whose rows about accounts are removed later. SQL is constant, never input. */
export type DeletedDefinitions = {
  /** SQL of `id` and `deletedAt` of those of client `$1`. */
  readonly select: string;
  /** SQL that forgets the one with the id `$2`. */
  readonly forget: string;
  /** Removes the rows of one. @returns their number */
  readonly remove: (id: string) => Promise<number>;
};

/**
 * Removes the rows of deleted definitions. A definition is forgotten a day later, when no event that was under way at the deletion can write
 * any more.
 * @returns the number of removed rows
 */
export async function removeDeleted(
  db: Database,
  clientId: string,
  now: Date,
  { select, forget, remove }: DeletedDefinitions,
): Promise<number> {
  const deleted = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string; deletedAt: Date }>(select, [clientId]),
  );
  let removed = 0;
  for (const { id, deletedAt } of deleted) {
    removed += await remove(id);
    if (now.getTime() - deletedAt.getTime() < DAY) continue;
    await db.unitOfWork(clientId, (uow) => uow.query(forget, [clientId, id]));
  }
  return removed;
}
