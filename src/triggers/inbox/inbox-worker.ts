import type { Logger } from 'pino';
import type { Catalogs } from '../../campaigns/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import { firstIdAt, momentOfId } from '../../kernel/ids.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/dispatcher.ts';
import { enqueuedIn } from '../../webhooks/enqueue-webhooks.ts';
import { createLanes } from '../../persistence/lanes.ts';
import { runTriggers } from '../run-triggers.ts';
import { failureOf, isOutage } from './failure-of.ts';
import {
  clientsWithTriggers,
  type Failure,
  recordFailures,
  removeTriggers,
  takeTrigger,
  takeTriggers,
} from './inbox.queries.ts';
import { triggerOf, type WaitingTrigger } from './waiting-trigger.ts';

/** Applies what is in the inbox. Any number of processes may run one on the same database. */
export type InboxWorker = {
  /** Begins to look for triggers that nobody wakes it for: those of other processes, and those that are to be tried again. */
  start(): void;
  /** Tells that a client has a trigger that waits; cheap, and harmless when it has not. */
  wake(clientId: string): void;
  /** Takes no more triggers and waits for the batches that are running. */
  stop(): Promise<void>;
};

export type InboxWorkerOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Batches that run at once, over all clients. */
  readonly laneCount: number;
  /** Failures that make a trigger a dead letter. */
  readonly attemptsMax: number;
};

/** Most triggers in one transaction. */
const BATCH_MAX = 200;

/** Milliseconds between two looks for triggers that nobody wakes it for: twice as many after each look in vain. */
const POLL_MS = { min: 100, max: 1_000 } as const;

/** Before every id. */
const START = firstIdAt(new Date(0));

/**
 * Milliseconds by which a batch begins before the newest trigger of the one before it; what is committed later than that is
 * found by the poll. Beginning at the oldest would wade through what was removed while some transaction stays open for
 * minutes, because PostgreSQL cannot clear it away before.
 */
const OVERLAP_MS = 2_000;

/** A client whose triggers are being applied. */
type Turn = {
  /** More may have come since the last batch began. */
  wanted: boolean;
  /** Where the next batch begins. */
  from: string;
};

/**
 * A batch takes triggers, applies them and removes them in one transaction: whenever the process dies, each has had its
 * whole effect or none, and then another process takes it. One batch of a client runs after the other, in the order of
 * acceptance; clients take turns, so a noisy one delays the others by one batch at most. See docs/decisions/0012.
 */
export function createInboxWorker(options: InboxWorkerOptions): InboxWorker {
  const { db, catalogs, dispatcher, clock, logger, laneCount, attemptsMax } = options;
  const turns = new Map<string, Turn>();
  const lanes = createLanes<Turn, void>({ laneCount, batchMax: 1, run: serve });
  let polling: NodeJS.Timeout | undefined;
  let stopped = false;

  function want(clientId: string, from?: string): void {
    if (stopped) return;
    const running = turns.get(clientId);
    if (running === undefined) return queue(clientId, { wanted: true, from: from ?? START });
    running.wanted = true;
    running.from = from ?? running.from;
  }

  function queue(clientId: string, turn: Turn): void {
    turns.set(clientId, turn);
    void lanes.submit(clientId, turn).then(() => {
      if (turn.wanted && !stopped) queue(clientId, turn);
      else turns.delete(clientId);
    });
  }

  async function serve(clientId: string, [turn]: readonly Turn[]): Promise<[undefined]> {
    if (stopped || turn === undefined) return [undefined];
    const { from } = turn;
    turn.wanted = false;
    try {
      const taken = await applyBatch(clientId, from);
      const newest = taken.at(-1);
      if (newest !== undefined && turn.from === from) turn.from = shortlyBefore(newest.id);
      // As many as there was room for: there may be more.
      if (taken.length === BATCH_MAX) turn.wanted = true;
    } catch (error) {
      logger.error({ err: error, clientId }, 'inbox: triggers could not be applied; they stay and are tried again');
    }
    return [undefined];
  }

  async function applyBatch(clientId: string, from: string): Promise<WaitingTrigger[]> {
    let taken: WaitingTrigger[] = [];
    try {
      await inOneTransaction(clientId, async (uow) => (taken = await takeTriggers(uow, { limit: BATCH_MAX, from })));
    } catch (error) {
      if (taken.length === 0 || isOutage(error)) throw error;
      // One trigger at fault must not hold up its neighbours.
      for (const trigger of taken) await applyAlone(clientId, trigger);
    }
    return taken;
  }

  async function applyAlone(clientId: string, trigger: WaitingTrigger): Promise<void> {
    try {
      await inOneTransaction(clientId, (uow) => takeTrigger(uow, trigger.id));
    } catch (error) {
      if (isOutage(error)) throw error;
      const failure = failureOf(trigger, error, attemptsMax);
      await db.unitOfWork(clientId, (uow) => recordFailures(uow, [failure]));
      report(clientId, failure, error);
    }
  }

  async function inOneTransaction(
    clientId: string,
    take: (uow: UnitOfWork) => Promise<readonly WaitingTrigger[]>,
  ): Promise<void> {
    const { failed, messageIds } = await db.unitOfWork(clientId, async (uow) => {
      const taken = await take(uow);
      return { failed: taken.length === 0 ? [] : await apply(uow, taken), messageIds: enqueuedIn(uow) };
    });
    for (const { failure, error } of failed) report(clientId, failure, error);
    // Not by their ids, which would send them now: the answer to a trigger just accepted may still be on its way.
    if (messageIds.length > 0) dispatcher.wake(clientId);
  }

  async function apply(uow: UnitOfWork, taken: readonly WaitingTrigger[]) {
    const acceptedAt = taken.map((trigger) => trigger.acceptedAt);
    const outcomes = await runTriggers(uow, catalogs, taken.map(triggerOf), clock(), acceptedAt);
    const failed = outcomes.flatMap((outcome, index) =>
      outcome instanceof Error ? [{ failure: failureOf(taken[index]!, outcome, attemptsMax), error: outcome }] : [],
    );
    const applied = taken.filter((_, index) => !(outcomes[index] instanceof Error));
    await Promise.all([
      removeTriggers(
        uow,
        applied.map(({ id }) => id),
      ),
      recordFailures(
        uow,
        failed.map(({ failure }) => failure),
      ),
    ]);
    return failed;
  }

  function report(clientId: string, failure: Failure, error: unknown): void {
    const { id: triggerId, attempts, code } = failure;
    const facts = { err: error, clientId, triggerId, attempts, code };
    if (failure.retryInMs === undefined) logger.warn(facts, 'inbox: the trigger is a dead letter now');
    else logger.info(facts, 'inbox: the trigger is tried again later');
  }

  async function poll(waitedMs: number): Promise<void> {
    let nextMs = Math.min(POLL_MS.max, 2 * waitedMs);
    try {
      const clients = await db.systemUnitOfWork(clientsWithTriggers);
      for (const clientId of clients) want(clientId, START);
      if (clients.length > 0) nextMs = POLL_MS.min;
    } catch (error) {
      logger.error({ err: error }, 'inbox: it could not be read');
    }
    // Processes that were started together would otherwise ask together for ever.
    if (!stopped) polling = setTimeout(() => void poll(nextMs), nextMs * (0.8 + 0.4 * Math.random()));
  }

  return {
    start() {
      polling ??= setTimeout(() => void poll(POLL_MS.min), 0);
    },
    wake: (clientId) => want(clientId),
    async stop() {
      stopped = true;
      clearTimeout(polling);
      await lanes.idle();
    },
  };
}

function shortlyBefore(id: string): string {
  return firstIdAt(new Date(momentOfId(id).getTime() - OVERLAP_MS));
}
