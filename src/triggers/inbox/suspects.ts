import type { Logger } from 'pino';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Database } from '../../persistence/database.ts';
import type { Applied, ApplyWaiting } from './apply-waiting.ts';
import { removeMark, takeAbandoned } from './batches.queries.ts';
import { isOutage, retryAfter } from './failure-of.ts';
import { takeTrigger } from './inbox.queries.ts';
import { recordDeaths } from './record-deaths.ts';
import type { SharedLock } from './shared-lock.ts';
import {
  countAttempt,
  giveUp,
  nextSuspect,
  PROCESS_DIED,
  type Suspect,
  suspectBatch,
  uncountAttempt,
} from './suspects.queries.ts';

/**
 * Milliseconds after which a mark that no transaction holds belongs to a dead process: between marking a batch and beginning it
 * lies a round trip, and the wait for a connection. A process that is slower than that loses its batch, but nothing else.
 */
export const GRACE_MS = 5_000;

/** Deals with the events of batches whose processes died: applies each alone, and gives up those at which processes die again. */
export type Suspects = {
  /** Looks after these clients; does nothing while it still does. */
  lookAfter(clientIds: readonly string[]): void;
  /** Begins no further attempt and waits for the one that runs. */
  stop(): Promise<void>;
};

export type SuspectsOptions = {
  readonly db: Database;
  readonly waiting: ApplyWaiting;
  readonly lock: SharedLock;
  readonly logger: Logger;
  /** Attempts after which a trigger is dead. */
  readonly attemptsMax: number;
  /** How the journal tells what became of events; false where it does not. */
  readonly journal?: Journaling | false | undefined;
  /** The marks of this process. */
  readonly ownMarks: () => readonly string[];
};

export function createSuspects(options: SuspectsOptions): Suspects {
  const { db, waiting, lock, logger, attemptsMax, ownMarks, journal = 'byOperation' } = options;
  /** Attempts that were counted and not made, because the database went away. */
  const unmade: { readonly clientId: string; readonly suspect: Suspect }[] = [];
  let working: Promise<void> | undefined;
  let stopped = false;

  async function work(clientIds: readonly string[]): Promise<void> {
    try {
      for (let last = unmade.at(-1); last !== undefined; last = unmade.at(-1)) {
        const { clientId, suspect } = last;
        await db.unitOfWork(clientId, (uow) => uncountAttempt(uow, suspect.id, suspect.attempts));
        unmade.pop();
      }
      for (const clientId of clientIds) await takeOver(clientId);
      // One event of each client in turn, so that none waits for all those of another.
      for (let open = clientIds; open.length > 0;) {
        const more: string[] = [];
        for (const clientId of open) if (await tryNext(clientId)) more.push(clientId);
        open = more;
      }
    } catch (error) {
      logger.error({ err: error }, 'inbox: events that are to be applied alone stay and are tried again');
    }
  }

  /** Makes suspects of the events of batches that nobody is at any more. */
  async function takeOver(clientId: string): Promise<void> {
    const ids = await db.unitOfWork(clientId, async (uow) => {
      const abandoned = await takeAbandoned(uow, { graceMs: GRACE_MS, own: ownMarks() });
      const suspects: string[] = [];
      for (const batch of abandoned) {
        suspects.push(...(await suspectBatch(uow, batch, retryInMs)));
        await removeMark(uow, batch.id);
      }
      return suspects;
    });
    if (ids.length === 0) return;
    const facts = { clientId, events: ids.length, firstId: ids[0] };
    logger.warn(facts, 'inbox: a process died while it applied a batch; its events are applied one by one');
  }

  /** Applies a suspect, after the attempt was counted. False if there is none. */
  async function tryNext(clientId: string): Promise<boolean> {
    if (stopped || (await db.unitOfWork(clientId, nextSuspect)) === undefined) return false;
    return lock.exclusive(async () => {
      const suspect = await count(clientId);
      if (suspect !== undefined) await attempt(clientId, suspect);
      return true;
    });
  }

  /** Undefined if there is nothing to try. */
  async function count(clientId: string): Promise<Suspect | undefined> {
    const { suspect, isDead } = await db.unitOfWork(clientId, async (uow) => {
      const next = await nextSuspect(uow);
      const isLast = next?.tried === true && next.attempts >= attemptsMax;
      if (next !== undefined && isLast) {
        await giveUp(uow, next.id);
        if (journal) await recordDeaths(uow, [next.id]);
      } else if (next !== undefined) await countAttempt(uow, next.id, retryInMs(next.attempts + 1));
      return { suspect: next, isDead: isLast };
    });
    if (!isDead) return suspect;
    const facts = { clientId, triggerId: suspect?.id, attempts: suspect?.attempts, code: PROCESS_DIED };
    logger.warn(facts, 'inbox: the trigger is dead now');
    return undefined;
  }

  async function attempt(clientId: string, suspect: Suspect): Promise<void> {
    const run = () =>
      db.unitOfWork(clientId, async (uow): Promise<Applied> => {
        const taken = await takeTrigger(uow, suspect.id);
        // As it was before this attempt was counted: what records a failure counts it.
        return waiting.apply(
          uow,
          taken.map((trigger) => ({ ...trigger, attempts: suspect.attempts })),
        );
      });
    try {
      await waiting.applyOne(clientId, suspect, run);
    } catch (error) {
      if (isOutage(error)) unmade.push({ clientId, suspect });
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
