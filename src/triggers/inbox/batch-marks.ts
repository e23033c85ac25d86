import { newId } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type ClaimCursor, advanceCursor } from '../../persistence/polling/claim-cursor.ts';
import { type Batch, markBatch, moveMark, releaseMarks } from './batches.queries.ts';

/** The marks of the batches of this process. One batch of a client is marked at a time. */
export type BatchMarks = {
  /** The batch that is marked, or else the next one, whose mark is committed when this resolves; undefined if nothing is due. */
  next(clientId: string, start: ClaimCursor): Promise<Batch | undefined>;
  /**
   * Runs work that takes the batch in one transaction, and then marks the next batch, or removes the mark where `goOn` gives
   * nothing. Without `goOn` the mark stays.
   */
  apply<T>(clientId: string, batch: Batch, work: MarkedWork<T>): Promise<T>;
  /** Removes the mark of a batch that is done. */
  release(clientId: string, batch: Batch): Promise<void>;
  /** Whether the client's next batch is marked already. */
  has(clientId: string): boolean;
  /** Removes what marks are left of batches that failed; with `all`, those of batches that have not begun as well. */
  tidy(all?: boolean): Promise<void>;
  /** Every mark that this process knows of. */
  ids(): string[];
};

/** The work on a batch. */
export type MarkedWork<T> = {
  readonly work: (uow: UnitOfWork) => Promise<T>;
  /** Where the next batch begins; undefined to mark none. Asked when this one has been applied. */
  readonly goOn?: () => ClaimCursor | undefined;
};

/** @param limit events in a batch at most */
export function createBatchMarks(db: Database, limit: number): BatchMarks {
  /** Clients by mark, for every mark that may be in the database. */
  const own = new Map<string, string>();
  /** Of batches that are being marked or applied. */
  const inUse = new Set<string>();
  /** Batches that have not begun, by client. */
  const marked = new Map<string, Batch>();

  async function release(clientId: string, ids: readonly string[]): Promise<void> {
    const left = new Set(await db.unitOfWork(clientId, (uow) => releaseMarks(uow, ids)));
    for (const id of ids) if (!left.has(id)) own.delete(id);
  }

  return {
    has: (clientId) => marked.has(clientId),
    ids: () => [...own.keys()],

    async next(clientId, start) {
      const waiting = marked.get(clientId);
      if (waiting !== undefined) return waiting;
      const { from } = start;
      // A new one each time: the old one may still be held by a transaction whose connection is lost.
      const id = newId();
      own.set(id, clientId);
      inUse.add(id);
      try {
        const batch = await db.unitOfWork(clientId, (uow) => markBatch(uow, { id, from, limit }));
        if (batch === undefined) {
          own.delete(id);
          return undefined;
        }
        advanceCursor(start, from, batch.lastId);
        marked.set(clientId, batch);
        return batch;
      } finally {
        inUse.delete(id);
      }
    },

    async apply(clientId, batch, { work, goOn }) {
      marked.delete(clientId);
      inUse.add(batch.id);
      try {
        const { result, start, from, next } = await db.unitOfWork(clientId, async (uow) => {
          const applied = await work(uow);
          const nextStart = goOn?.();
          const search = { id: batch.id, from: nextStart?.from ?? batch.firstId, limit: nextStart ? limit : 0 };
          const moved = goOn === undefined ? undefined : await moveMark(uow, search);
          return { result: applied, start: nextStart, from: search.from, next: moved };
        });
        if (next !== undefined && start !== undefined) {
          advanceCursor(start, from, next.lastId);
          marked.set(clientId, next);
        } else if (goOn !== undefined) {
          own.delete(batch.id);
        }
        return result;
      } finally {
        inUse.delete(batch.id);
      }
    },

    release: (clientId, { id }) => release(clientId, [id]),

    async tidy(all = false) {
      if (all) marked.clear();
      const waiting = new Set([...marked.values()].map(({ id }) => id));
      const idle = [...own].filter(([id]) => !inUse.has(id) && !waiting.has(id));
      for (const [clientId, marks] of Map.groupBy(idle, ([, client]) => client)) {
        await release(
          clientId,
          marks.map(([id]) => id),
        );
      }
    },
  };
}
