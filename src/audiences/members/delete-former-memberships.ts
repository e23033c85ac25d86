import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteFirst, deleteInBatches } from '../../persistence/delete-in-batches.ts';

/** Rows in one transaction. */
const BATCH = 1_000;

/** Nobody left an audience before. */
const BEGINNING = new Date(0);

/**
 * Milliseconds for which a former membership is kept: events may be accepted up to 24 hours after they occurred.
 * Another 24 hours are for differing clocks and running calls.
 */
const KEPT_MS = 2 * 24 * 3_600_000;

/** When the oldest event was accepted that waits to be applied, be it as a dead trigger; undefined where none waits. */
export type OldestAcceptance = (uow: UnitOfWork) => Promise<Date | undefined>;

/**
 * Forgets when a client's accounts were in audiences that they have left since, once no event can need it any more: housekeeping.
 * @returns how many memberships it forgot
 */
export async function deleteFormerMemberships(
  db: Database,
  clientId: string,
  { now, oldestAcceptance, batch = BATCH }: ForgetOptions,
): Promise<number> {
  const oldest = await db.unitOfWork(clientId, oldestAcceptance);
  const before = new Date(Math.min(now.getTime(), oldest?.getTime() ?? Infinity) - KEPT_MS);
  return deleteInBatches<Date>(db, clientId, {
    batch,
    deleteBatch: (uow, from = BEGINNING) =>
      deleteFirst(uow, { table: 'former_membership', by: 'left_at', from, before, limit: batch }),
  });
}

type ForgetOptions = {
  readonly now: Date;
  readonly oldestAcceptance: OldestAcceptance;
  readonly batch?: number;
};
