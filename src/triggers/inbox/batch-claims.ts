import { newId } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type ClaimCursor, advanceCursor } from '../../persistence/polling/claim-cursor.ts';
import { type Batch, claimBatch, moveClaim, releaseClaims } from './batches.queries.ts';

/** The claims of the batches of this process. One batch of a client is claimed at a time. */
export type BatchClaims = {
  /** The batch that is claimed, or else the next one, whose claim is committed when this resolves; undefined if nothing is due. */
  next(clientId: string, start: ClaimCursor): Promise<Batch | undefined>;
  /**
   * Runs work that takes the batch in one transaction, and then claims the next batch, or removes the claim where `nextCursor` gives
   * nothing. Without `nextCursor` the claim stays.
   */
  apply<T>(clientId: string, batch: Batch, work: ClaimedWork<T>): Promise<T>;
  /** Removes the claim of a batch that is done. */
  release(clientId: string, batch: Batch): Promise<void>;
  /** Whether the client's next batch is claimed already. */
  has(clientId: string): boolean;
  /** Removes what claims are left of batches that failed; with `all`, those of batches that have not begun as well. */
  releaseIdle(all?: boolean): Promise<void>;
  /** Every claim that this process knows of. */
  ids(): string[];
};

/** The work on a batch. */
export type ClaimedWork<T> = {
  readonly work: (uow: UnitOfWork) => Promise<T>;
  /** Where the next batch begins; undefined to claim none. Asked when this one has been applied. */
  readonly nextCursor?: () => ClaimCursor | undefined;
};

/** @param limit events in a batch at most */
export function createBatchClaims(db: Database, limit: number): BatchClaims {
  /** Clients by claim, for every claim that may be in the database. */
  const own = new Map<string, string>();
  /** Of batches that are being claimed or applied. */
  const inUse = new Set<string>();
  /** Batches that have not begun, by client. */
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
      // A new one each time: the old one may still be held by a transaction whose connection is lost.
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
