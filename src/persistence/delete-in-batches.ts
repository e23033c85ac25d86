import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, UnitOfWork } from './database.ts';

/**
 * How long to rest after each batch, in times of what it took. Operation ids were forgotten 2.6 times as fast as events at full
 * load write them, and without a rest 7.8 times; 99 of 100 events at 2,000 a second were answered within 1.31 and 1.67 times of
 * what they take otherwise (`npm run bench -- retention`).
 */
const REST = 2;

/** The result of a batch: the number of deleted rows, and the key of the last one in the order of deletion. */
export type DeletedBatch<Place> = { readonly count: number; readonly last: Place | undefined };

/**
 * Rows of a client in the order of a column that an index has behind `client_id`: those from `from` on, below `before`, at most
 * `limit`.
 */
export type FirstRows<Place extends Date | string> = {
  readonly table: string;
  readonly by: string;
  readonly from: Place;
  readonly before: Place;
  readonly limit: number;
};

/** Deletes the first of a client's rows in one statement. Names of table and column are written by the caller, and never input. */
export async function deleteFirst<Place extends Date | string>(
  uow: UnitOfWork,
  { table, by, from, before, limit }: FirstRows<Place>,
): Promise<DeletedBatch<Place>> {
  const rows = await uow.query<{ place: Place }>(
    `delete from ${table} d
      using (select ctid as place from ${table}
              where client_id = $1::uuid and ${by} >= $4 and ${by} < $2 order by ${by} limit $3) old
      where d.client_id = $1::uuid and d.ctid = old.place
     returning d.${by} as place`,
    [uow.clientId, before, limit, from],
  );
  const places = rows.map(({ place }) => place);
  return { count: rows.length, last: places.length === 0 ? undefined : places.reduce((a, b) => (b > a ? b : a)) };
}

/** The rows of a client to delete, and the number of rows in one transaction. */
export type Deletion<Place> = {
  readonly batch: number;
  /** Deletes at most `batch` rows, the first ones in an order that an index has, from `from` on. */
  deleteBatch(uow: UnitOfWork, from: Place | undefined): Promise<DeletedBatch<Place>>;
};

/**
 * Deletes rows in small transactions until a batch is not full, so that other work waits for short locks only, and the
 * job may be stopped at any point. Each batch continues where the last one ended: from the beginning it would read
 * deleted, unvacuumed rows again (520 pages instead of 5 after 19,000 rows). It pauses in between, to leave the
 * processors to events.
 *
 * The commits do not wait for the disk, nor make events wait for it: what a crash of the server brings back is old, and
 * is deleted again.
 * @returns how many rows it deleted
 */
export async function deleteInBatches<Place>(
  db: Database,
  clientId: string,
  { batch, deleteBatch }: Deletion<Place>,
): Promise<number> {
  let deleted = 0;
  for (let from: Place | undefined; ;) {
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
