import { newId } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type ClaimCursor, advanceCursor } from '../../persistence/polling/claim-cursor.ts';
import { type Batch, claimBatch, moveClaim, releaseClaims } from './batches.queries.ts';

/** The claims of the batches of this process. One batch of a client is claimed at a time. */
export type BatchClaims = {
  /** The claimed batch, or else the next batch, whose claim is committed when this resolves; undefined if no trigger is due. */
  next(clientId: string, start: ClaimCursor): Promise<Batch | undefined>;
  /**
   * Runs work that applies the batch in one transaction. It then claims the next batch, or removes the claim if `nextCursor` returns
   * undefined. Without `nextCursor` the claim stays.
   */
  apply<T>(clientId: string, batch: Batch, work: ClaimedWork<T>): Promise<T>;
  /** Removes the claim of a finished batch. */
  release(clientId: string, batch: Batch): Promise<void>;
  /** Whether the client's next batch is claimed already. */
  has(clientId: string): boolean;
  /** Removes the remaining claims of failed batches; with `all`, also those of batches that have not begun. */
  releaseIdle(all?: boolean): Promise<void>;
  /** The ids of all claims of this process. */
  ids(): string[];
};

/** The work on a batch. */
export type ClaimedWork<T> = {
  readonly work: (uow: UnitOfWork) => Promise<T>;
  /** The start of the next batch; undefined to claim none. Called after this batch has been applied. */
  readonly nextCursor?: () => ClaimCursor | undefined;
};

/**
 * @param limit the most events in a batch
 */
export function createBatchClaims(db: Database, limit: number): BatchClaims {
  /** The clients of all claims that may be in the database, by claim id. */
  const own = new Map<string, string>();
  /** The ids of claims whose batches are being claimed or applied. */
  const inUse = new Set<string>();
  /** Claimed batches that have not begun, by client. */
  const claimed = new Map<string, Batch>();

  async function release(clientId: string, ids: readonly string[]): Promise<void> {
    const left = new Set(await db.unitOfWork(clientId, (uow) => releaseClaims(uow, ids)));
    for (const id of ids) if (!left.has(id)) own.delete(id);
  }

  return {
    has: (clientId) => claimed.has(clientId),
    ids: () => [...own.keys()],

    async next(clientId, start) {
      const waiting = claimed.get(clientId);
      if (waiting !== undefined) return waiting;
      const { from } = start;
      // Each claim has a new id: a transaction with a lost connection may still hold the old claim.
      const id = newId();
      own.set(id, clientId);
      inUse.add(id);
      try {
        const batch = await db.unitOfWork(clientId, (uow) => claimBatch(uow, { id, from, limit }));
        if (batch === undefined) {
          own.delete(id);
          return undefined;
        }
        advanceCursor(start, from, batch.lastId);
        claimed.set(clientId, batch);
        return batch;
      } finally {
        inUse.delete(id);
      }
    },

    async apply(clientId, batch, { work, nextCursor }) {
      claimed.delete(clientId);
      inUse.add(batch.id);
      try {
        const { result, start, from, next } = await db.unitOfWork(clientId, async (uow) => {
          const applied = await work(uow);
          const nextStart = nextCursor?.();
          const search = { id: batch.id, from: nextStart?.from ?? batch.firstId, limit: nextStart ? limit : 0 };
          const moved = nextCursor === undefined ? undefined : await moveClaim(uow, search);
          return { result: applied, start: nextStart, from: search.from, next: moved };
        });
        if (next !== undefined && start !== undefined) {
          advanceCursor(start, from, next.lastId);
          claimed.set(clientId, next);
        } else if (nextCursor !== undefined) {
          own.delete(batch.id);
        }
        return result;
      } finally {
        inUse.delete(batch.id);
      }
    },

    release: (clientId, { id }) => release(clientId, [id]),

    async releaseIdle(all = false) {
      if (all) claimed.clear();
      const waiting = new Set([...claimed.values()].map(({ id }) => id));
      const idle = [...own].filter(([id]) => !inUse.has(id) && !waiting.has(id));
      for (const [clientId, claims] of Map.groupBy(idle, ([, client]) => client)) {
        await release(
          clientId,
          claims.map(([id]) => id),
        );
      }
    },
  };
}
