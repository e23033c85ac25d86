import type { Database, UnitOfWork } from '../persistence/database.ts';
import { DAY } from '../kernel/time/timestamp.ts';
import { deleteBatches, selectOldest } from './change-batch.queries.ts';
import { lockFeed, setDeletedUpTo } from './change-feed.queries.ts';

/** The maximum of batches in one transaction: some ten milliseconds of work, so that numbering waits for short locks only. */
const BATCH = 500;

/** The clients that have, or had, a feed, in a system unit of work. */
export async function clientsWithChanges(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>('select client_id from change_feed');
  return rows.map(({ client_id }) => client_id);
}

/**
 * A scheduled job that deletes the changes of a client that are older than it keeps them, all if its feed is off. The last expired batch
 * stays: a reader that has read everything of a quiet client stands there. It uses small transactions, so that it may be stopped at any
 * point and continued later.
 * @returns the number of deleted batches
 */
export async function deleteOldChanges(db: Database, clientId: string, now: Date, batch = BATCH): Promise<number> {
  for (let deleted = 0; ;) {
    const count = await db.unitOfWork(clientId, (uow) => deleteSome(uow, now, batch));
    deleted += count;
    if (count < batch) return deleted;
  }
}

async function deleteSome(uow: UnitOfWork, now: Date, limit: number): Promise<number> {
  const { keepDays, deletedUpTo } = await lockFeed(uow);
  const olderThan = new Date(now.getTime() - keepDays * DAY);
  const oldest = await selectOldest(uow, olderThan, limit + 1);
  const isOff = keepDays === 0;
  const mayGo = ({ number }: { readonly number: number }, index: number) =>
    isOff || number <= deletedUpTo || (oldest[index]!.isOld && oldest[index + 1]?.isOld === true);
  const kept = oldest.slice(0, limit).findIndex((each, index) => !mayGo(each, index));
  const gone = oldest.slice(0, kept < 0 ? limit : kept);
  const last = gone.at(-1);
  if (last === undefined) return 0;
  await deleteBatches(
    uow,
    gone.map(({ id }) => id),
  );
  if (last.number > deletedUpTo) await setDeletedUpTo(uow, last.number);
  return gone.length;
}
