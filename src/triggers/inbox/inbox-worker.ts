import type { Logger } from 'pino';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Database } from '../../persistence/database.ts';
import { createBatcher } from '../../persistence/batching/batcher.ts';
import { BEGINNING, type ClaimCursor } from '../../persistence/polling/claim-cursor.ts';
import { createPoller } from '../../persistence/polling/poller.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import type { LargeClients } from '../large-clients.ts';
import { applyWaiting } from './apply-waiting.ts';
import { createBatchClaims } from './batch-claims.ts';
import type { Batch } from './batches.queries.ts';
import { isOutage } from './failure-of.ts';
import { clientsWithTriggers, claimTriggers } from './inbox.queries.ts';
import { createReadWriteLock } from './read-write-lock.ts';
import { createQuarantine, GRACE_MS } from './quarantine.ts';
import { clientsWithQuarantined } from './quarantine.queries.ts';
import type { WaitingTrigger } from './waiting-trigger.ts';

/** Applies the events of the inbox. Any number of processes may run one on the same database. */
export type InboxWorker = {
  /** Begins to poll, for triggers of other processes and for retries. */
  start(): void;
  /** Looks for triggers of a client without a delay. Cheap, and harmless if none are waiting. */
  wake(clientId: string): void;
  /** Takes no more triggers and waits for the running batches. */
  stop(): Promise<void>;
};

export type InboxWorkerOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Batches that run in parallel, over all clients. */
  readonly triggerConcurrency: number;
  readonly largeClients: LargeClients;
  /** Failures after which a trigger is dead. */
  readonly attemptsMax: number;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

/** The most triggers in one transaction. */
const BATCH_MAX = 200;

/** Milliseconds between two polls. */
const POLL_MS = { min: 100, max: 1_000 } as const;

/**
 * Milliseconds for which a batch and an event that is applied alone wait for each other. A crash can be attributed to an event only if no
 * other event was being applied.
 */
const LOCK_WAIT_MS = 1_000;

/** A client whose triggers are being applied. */
type Slot = ClaimCursor & {
  /** Whether more triggers may have arrived since the last batch was claimed. */
  wanted: boolean;
};

/**
 * A batch takes triggers, applies them and removes them in one transaction: if the process dies, each has had its whole effect or none, and
 * then another process takes it. The batches of a client run one after the other, in the order of acceptance. Clients take turns, so a busy
 * client delays the others by one batch at most. See docs/decisions/0012.
 *
 * Before a batch begins, its claim is committed, and the transaction that applies it locks the claim. If a claim is not locked, its process
 * has died; then each of its events is applied alone. See docs/decisions/0015.
 */
export function createInboxWorker(options: InboxWorkerOptions): InboxWorker {
  const { db, logger, triggerConcurrency, largeClients, attemptsMax, journal } = options;
  const waiting = applyWaiting(options);
  const claims = createBatchClaims(db, BATCH_MAX);
  const lock = createReadWriteLock(LOCK_WAIT_MS);
  const quarantine = createQuarantine({ db, waiting, lock, logger, attemptsMax, journal, ownClaims: claims.ids });
  const slots = new Map<string, Slot>();
  const batcher = createBatcher<Slot, void>({
    name: 'inbox',
    concurrency: triggerConcurrency,
    batchMax: 1,
    run: serve,
  });
  const poller = createPoller({
    logger,
    everyMs: POLL_MS,
    failure: 'inbox: it could not be read',
    lookUp: () =>
      db.systemUnitOfWork((uow) =>
        Promise.all([clientsWithTriggers(uow), clientsWithQuarantined(uow, { graceMs: GRACE_MS, own: claims.ids() })]),
      ),
    async onFound([clients, clientsAfterDeath]) {
      for (const clientId of clients) wakeClient(clientId, BEGINNING);
      quarantine.lookAfter(clientsAfterDeath);
      await claims.releaseIdle();
      return clients.length > 0;
    },
  });
  let stopped = false;

  function wakeClient(clientId: string, from?: string): void {
    if (stopped) return;
    const running = slots.get(clientId);
    if (running === undefined) return queue(clientId, { wanted: true, from: from ?? BEGINNING });
    running.wanted = true;
    running.from = from ?? running.from;
  }

  function queue(clientId: string, slot: Slot): void {
    slots.set(clientId, slot);
    void batcher.submit(clientId, slot).then(() => {
      if (slot.wanted && !stopped) queue(clientId, slot);
      else slots.delete(clientId);
    });
  }

  async function serve(clientId: string, [slot]: readonly Slot[]): Promise<[undefined]> {
    if (stopped || slot === undefined) return [undefined];
    await largeClients.run(clientId, () => serveNext(clientId, slot));
    return [undefined];
  }

  async function serveNext(clientId: string, slot: Slot): Promise<void> {
    slot.wanted = false;
    try {
      const batch = await claims.next(clientId, slot);
      if (batch === undefined) return;
      const mayBeMore = await lock.shared(() => applyBatch(clientId, batch, slot));
      if (claims.has(clientId) || mayBeMore) slot.wanted = true;
    } catch (error) {
      logger.error({ err: error, clientId }, 'inbox: triggers could not be applied; they stay and are tried again');
    }
  }

  /** Applies a batch. Returns whether more events may wait: the batch was full, or too long for one transaction. */
  async function applyBatch(clientId: string, batch: Batch, slot: Slot): Promise<boolean> {
    let taken: WaitingTrigger[] = [];
    try {
      const applied = await claims.apply(clientId, batch, {
        async work(uow) {
          taken = await claimTriggers(uow, batch, BATCH_MAX);
          const done = await waiting.apply(uow, taken);
          const firstLeft = taken[done.tried];
          if (firstLeft !== undefined) slot.from = firstLeft.id;
          return done;
        },
        nextCursor: () => (mustWait(clientId) ? undefined : slot),
      });
      waiting.settle(clientId, applied);
      return taken.length === BATCH_MAX || applied.tried < taken.length;
    } catch (error) {
      if (taken.length === 0 || isOutage(error)) throw error;
      // A faulty trigger must not delay its neighbours.
      for (const trigger of taken) await applyOne(clientId, batch, trigger);
      await claims.release(clientId, batch);
      return taken.length === BATCH_MAX;
    }
  }

  /** Whether the next batch of the client may have to wait. Then its claim is made when its turn comes. */
  function mustWait(clientId: string): boolean {
    return stopped || slots.size > triggerConcurrency || largeClients.has(clientId);
  }

  function applyOne(clientId: string, batch: Batch, trigger: WaitingTrigger): Promise<void> {
    return waiting.applyOne(clientId, trigger, () =>
      claims.apply(clientId, batch, {
        work: async (uow) => {
          const one = { ...batch, firstId: trigger.id, lastId: trigger.id };
          return waiting.apply(uow, await claimTriggers(uow, one, 1));
        },
      }),
    );
  }

  return {
    start: poller.start,
    wake: (clientId) => wakeClient(clientId),
    async stop() {
      stopped = true;
      await Promise.all([poller.stop(), batcher.idle(), quarantine.stop()]);
      await claims.releaseIdle(true).catch((error: unknown) => {
        logger.warn(
          { err: error },
          'inbox: a claim of this process stays; the events behind it are applied one by one',
        );
      });
    },
  };
}
