import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, UnitOfWork } from './database.ts';

/**
 * The rest after each batch, as a multiple of its duration. Operation ids were deleted 2.6 times as fast as events at full load write them,
 * and without a rest 7.8 times; the p99 of events at 2,000 a second was 1.31 and 1.67 times the normal one (`npm run bench -- retention`).
 */
const REST = 2;

/** The result of a batch: the number of deleted rows, and the key of the last one in the order of deletion. */
export type DeletedBatch<Key> = { readonly count: number; readonly last: Key | undefined };

/** Rows of a client from `from` and below `before`, at most `limit`, in the order of a column that follows `client_id` in an index. */
export type FirstRows<Key extends Date | string> = {
  readonly table: string;
  readonly by: string;
  readonly from: Key;
  readonly before: Key;
  readonly limit: number;
};

/** Deletes the first of a client's rows in one statement. The names of table and column are constants of the caller, never input. */
export async function deleteFirst<Key extends Date | string>(
  uow: UnitOfWork,
  { table, by, from, before, limit }: FirstRows<Key>,
): Promise<DeletedBatch<Key>> {
  const rows = await uow.query<{ key: Key }>(
    `delete from ${table} d
      using (select ctid as row_ctid from ${table}
              where client_id = $1::uuid and ${by} >= $4 and ${by} < $2 order by ${by} limit $3) old
      where d.client_id = $1::uuid and d.ctid = old.row_ctid
     returning d.${by} as key`,
    [uow.clientId, before, limit, from],
  );
  const keys = rows.map(({ key }) => key);
  return { count: rows.length, last: keys.length === 0 ? undefined : keys.reduce((a, b) => (b > a ? b : a)) };
}

/** The rows of a client to delete, and the number of rows in one transaction. */
export type Deletion<Key> = {
  readonly batch: number;
  /** Deletes the first rows from `from`, at most `batch`, in the order of an index. */
  deleteBatch(uow: UnitOfWork, from: Key | undefined): Promise<DeletedBatch<Key>>;
};

/**
 * Deletes rows in small transactions until a batch is not full, so that other work waits for short locks only, and the job may be stopped
 * at any point. Each batch continues where the last one ended: from the beginning it would read deleted, unvacuumed rows again (520 pages
 * instead of 5 after 19,000 rows). It pauses in between, to leave the processors to events.
 *
 * The commits do not wait for the disk, nor make events wait for it: rows that return after a crash of the server are deleted again.
 * @returns the number of deleted rows
 */
export async function deleteInBatches<Key>(
  db: Database,
  clientId: string,
  { batch, deleteBatch }: Deletion<Key>,
): Promise<number> {
  let deleted = 0;
  for (let from: Key | undefined; ;) {
    const begun = performance.now();
    const { count, last } = await db.unitOfWork(clientId, async (uow) => {
      const [, result] = await Promise.all([uow.set({ synchronous_commit: 'off' }), deleteBatch(uow, from)]);
      return result;
    });
    deleted += count;
    if (count < batch) return deleted;
    from = last;
    await sleep(REST * (performance.now() - begun));
  }
}
