import type { Logger } from 'pino';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Database } from '../../persistence/database.ts';
import type { Applied, ApplyWaiting } from './apply-waiting.ts';
import { removeClaim, claimAbandonedBatches } from './batches.queries.ts';
import { isOutage, retryAfter } from './failure-of.ts';
import { claimTrigger } from './inbox.queries.ts';
import { recordDeaths } from './record-deaths.ts';
import type { ReadWriteLock } from './read-write-lock.ts';
import {
  countAttempt,
  markDead,
  nextQuarantined,
  PROCESS_DIED,
  type QuarantinedTrigger,
  quarantineBatch,
  uncountAttempt,
} from './quarantine.queries.ts';

/**
 * Milliseconds after which a claim that no transaction holds belongs to a dead process: a round trip and the wait for a connection lie
 * between the claim and the batch. A slower process loses its batch, but no more.
 */
export const GRACE_MS = 5_000;

/** Handles the events of batches whose processes died: applies each alone, and makes an event dead if processes die again. */
export type Quarantine = {
  /** Handles the events of these clients, unless an earlier call is still running. */
  lookAfter(clientIds: readonly string[]): void;
  /** Begins no further attempt and waits for the running one. */
  stop(): Promise<void>;
};

export type QuarantineOptions = {
  readonly db: Database;
  readonly waiting: ApplyWaiting;
  readonly lock: ReadWriteLock;
  readonly logger: Logger;
  /** Attempts after which a trigger is dead. */
  readonly attemptsMax: number;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
  /** The ids of this process's claims. */
  readonly ownClaims: () => readonly string[];
};

export function createQuarantine(options: QuarantineOptions): Quarantine {
  const { db, waiting, lock, logger, attemptsMax, ownClaims, journal = 'byOperation' } = options;
  /** Attempts that were counted and not made, because the database was not available. */
  const unmade: { readonly clientId: string; readonly quarantined: QuarantinedTrigger }[] = [];
  let working: Promise<void> | undefined;
  let stopped = false;

  async function work(clientIds: readonly string[]): Promise<void> {
    try {
      for (let last = unmade.at(-1); last !== undefined; last = unmade.at(-1)) {
        const { clientId, quarantined } = last;
        await db.unitOfWork(clientId, (uow) => uncountAttempt(uow, quarantined.id, quarantined.attempts));
        unmade.pop();
      }
      for (const clientId of clientIds) await takeOver(clientId);
      // Clients take turns with one event each, so that no client waits for all events of another.
      for (let open = clientIds; open.length > 0;) {
        const more: string[] = [];
        for (const clientId of open) if (await tryNext(clientId)) more.push(clientId);
        open = more;
      }
    } catch (error) {
      logger.error({ err: error }, 'inbox: events that are to be applied alone stay and are tried again');
    }
  }

  /** Moves the events of abandoned batches into quarantine. */
  async function takeOver(clientId: string): Promise<void> {
    const ids = await db.unitOfWork(clientId, async (uow) => {
      const abandoned = await claimAbandonedBatches(uow, { graceMs: GRACE_MS, own: ownClaims() });
      const added: string[] = [];
      for (const batch of abandoned) {
        added.push(...(await quarantineBatch(uow, batch, retryInMs)));
        await removeClaim(uow, batch.id);
      }
      return added;
    });
    if (ids.length === 0) return;
    const facts = { clientId, events: ids.length, firstId: ids[0] };
    logger.warn(facts, 'inbox: a process died while it applied a batch; its events are applied one by one');
  }

  /** Counts an attempt and applies a quarantined trigger. Returns false if none is due. */
  async function tryNext(clientId: string): Promise<boolean> {
    if (stopped || (await db.unitOfWork(clientId, nextQuarantined)) === undefined) return false;
    return lock.exclusive(async () => {
      const quarantined = await count(clientId);
      if (quarantined !== undefined) await attempt(clientId, quarantined);
      return true;
    });
  }

  /** Counts the attempt at the next trigger and returns it; undefined without a due trigger, or if the trigger is dead now. */
  async function count(clientId: string): Promise<QuarantinedTrigger | undefined> {
    const { quarantined, isDead } = await db.unitOfWork(clientId, async (uow) => {
      const next = await nextQuarantined(uow);
      const isLast = next?.tried === true && next.attempts >= attemptsMax;
      if (next !== undefined && isLast) {
        await markDead(uow, next.id);
        if (journal) await recordDeaths(uow, [next.id]);
      } else if (next !== undefined) await countAttempt(uow, next.id, retryInMs(next.attempts + 1));
      return { quarantined: next, isDead: isLast };
    });
    if (!isDead) return quarantined;
    const facts = { clientId, triggerId: quarantined?.id, attempts: quarantined?.attempts, code: PROCESS_DIED };
    logger.warn(facts, 'inbox: the trigger is dead now');
    return undefined;
  }

  async function attempt(clientId: string, quarantined: QuarantinedTrigger): Promise<void> {
    const run = () =>
      db.unitOfWork(clientId, async (uow): Promise<Applied> => {
        const taken = await claimTrigger(uow, quarantined.id);
        // The attempts before this one, because recording a failure counts it again.
        return waiting.apply(
          uow,
          taken.map((trigger) => ({ ...trigger, attempts: quarantined.attempts })),
        );
      });
    try {
      await waiting.applyOne(clientId, quarantined, run);
    } catch (error) {
      if (isOutage(error)) unmade.push({ clientId, quarantined });
      throw error;
    }
  }

  return {
    lookAfter(clientIds) {
      if (stopped || working !== undefined || (clientIds.length === 0 && unmade.length === 0)) return;
      working = work(clientIds).finally(() => {
        working = undefined;
      });
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

function retryInMs(attempts: number): number {
  return Math.max(GRACE_MS, retryAfter(attempts));
}
