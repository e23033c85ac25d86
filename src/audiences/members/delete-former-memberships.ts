import { backfillDaysMax } from '../../clients/backfill-days.ts';
import { DAY } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { deleteFirst, deleteInBatches } from '../../persistence/delete-in-batches.ts';

/** Rows in one transaction. */
const BATCH = 1_000;

/** A time before any membership. */
const BEGINNING = new Date(0);

/**
 * Milliseconds for which a former membership is kept. Events are accepted up to 24 hours after they occurred; another 24 hours cover
 * different clocks and running calls. Clients that take backfill keep it longer by their setting.
 */
const KEPT_MS = 2 * 24 * 3_600_000;

/** The acceptance time of the oldest waiting event, including dead triggers; undefined without one. */
export type OldestAcceptance = (uow: UnitOfWork) => Promise<Date | undefined>;

/**
 * Housekeeping: deletes a client's former memberships that no event can need any more.
 * @returns the number of deleted memberships
 */
export async function deleteFormerMemberships(
  db: Database,
  clientId: string,
  { now, oldestAcceptance, batch = BATCH }: ForgetOptions,
): Promise<number> {
  const { oldest, backfillDays } = await db.unitOfWork(clientId, async (uow) => {
    return { oldest: await oldestAcceptance(uow), backfillDays: await backfillDaysMax(uow) };
  });
  const keptMs = KEPT_MS + backfillDays * DAY;
  const before = new Date(Math.min(now.getTime(), oldest?.getTime() ?? Infinity) - keptMs);
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
