import type { Logger } from 'pino';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { enqueuedIn } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { runTriggers } from '../run-triggers.ts';
import { failureOf, isOutage, type Tried } from './failure-of.ts';
import { type Failure, recordFailures, removeTriggers } from './inbox.queries.ts';
import { recordDeaths } from './record-deaths.ts';
import { createDeferredEvents } from './deferred-events.ts';
import { triggerOf, type WaitingTrigger } from './waiting-trigger.ts';

/** The result of an event behind deferred events of its account: deferred as well. */
const BEHIND_OTHERS = new DomainError('DATABASE_BUSY', 'Earlier events of the account wait for it.', {
  kind: 'IN_PROGRESS',
});

/** Applies waiting triggers. */
export type ApplyWaiting = {
  /** Applies and removes triggers, and records those that failed, as part of a transaction. Pass the result to `settle`. */
  apply(uow: UnitOfWork, taken: readonly WaitingTrigger[]): Promise<Applied>;
  /** Records the deferred events, logs failures and wakes the dispatcher; call it after the commit. */
  settle(clientId: string, applied: Applied): void;
  /**
   * Runs `apply` and `settle` for one trigger, by `run`, and records it as failed if `run` throws.
   * @throws DomainError for an outage, which is not a failure of the trigger
   */
  applyOne(clientId: string, trigger: Tried, run: () => Promise<Applied>): Promise<void>;
};

/** The result of applying triggers. */
export type Applied = {
  /** The number of triggers tried, from the first. The others would make the transaction too long. */
  readonly tried: number;
  /** The tried triggers. */
  readonly triggers: readonly WaitingTrigger[];
  /** The tried triggers that still wait, because another transaction has locked their accounts. */
  readonly setAside: readonly WaitingTrigger[];
  readonly failed: readonly { readonly failure: Failure; readonly error: Error }[];
  /** Whether the outbox has new webhooks. */
  readonly hasWebhooks: boolean;
};

export type ApplyWaitingOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Failures after which a trigger is dead. */
  readonly attemptsMax: number;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

export function applyWaiting({
  db,
  catalogs,
  dispatcher,
  clock,
  logger,
  attemptsMax,
  journal = 'byOperation',
}: ApplyWaitingOptions): ApplyWaiting {
  const aside = createDeferredEvents();

  async function recordDead(uow: UnitOfWork, failures: readonly Failure[]): Promise<void> {
    const dead = failures.filter(({ retryInMs }) => retryInMs === undefined);
    if (journal)
      await recordDeaths(
        uow,
        dead.map(({ id }) => id),
      );
  }

  function report(clientId: string, failure: Failure, error: unknown): void {
    const { id: triggerId, attempts, code } = failure;
    const facts = { err: error, clientId, triggerId, attempts, code };
    if (failure.retryInMs === undefined) logger.warn(facts, 'inbox: the trigger is dead now');
    else logger.info(facts, 'inbox: the trigger is tried again later');
  }

  function settle(clientId: string, applied: Applied): void {
    const { failed, hasWebhooks } = applied;
    aside.settle(clientId, applied);
    for (const { failure, error } of failed) report(clientId, failure, error);
    // Without the ids of the messages, which would send them immediately: the answer to a trigger just accepted may not be written yet.
    if (hasWebhooks) dispatcher.wake(clientId);
  }

  return {
    settle,

    async apply(uow, taken) {
      const behind = aside.behindOthers(uow.clientId, taken);
      const free = behind.size === 0 ? taken : taken.filter((trigger) => !behind.has(trigger));
      const acceptedAt = free.map((trigger) => trigger.acceptedAt);
      const outcomes =
        free.length === 0
          ? []
          : await runTriggers(uow, catalogs, free.map(triggerOf), clock(), { acceptedAt, journal });
      const firstLeft = free[outcomes.length];
      const triggers = firstLeft === undefined ? taken : taken.slice(0, taken.indexOf(firstLeft));
      const outcomeOf = new Map(outcomes.map((outcome, index) => [free[index], outcome]));
      const failed: { failure: Failure; error: Error }[] = [];
      const applied: WaitingTrigger[] = [];
      const setAside: WaitingTrigger[] = [];
      for (const trigger of triggers) {
        const outcome = outcomeOf.get(trigger) ?? BEHIND_OTHERS;
        if (!(outcome instanceof Error)) {
          applied.push(trigger);
          continue;
        }
        failed.push({ failure: failureOf(trigger, outcome, attemptsMax), error: outcome });
        if (outcome.code === BEHIND_OTHERS.code && outcome.kind === BEHIND_OTHERS.kind) setAside.push(trigger);
      }
      const failures = failed.map(({ failure }) => failure);
      await Promise.all([
        removeTriggers(
          uow,
          applied.map(({ id }) => id),
        ),
        recordFailures(uow, failures),
        recordDead(uow, failures),
      ]);
      return { tried: triggers.length, triggers, setAside, failed, hasWebhooks: enqueuedIn(uow).length > 0 };
    },

    async applyOne(clientId, trigger, run) {
      try {
        settle(clientId, await run());
      } catch (error) {
        if (isOutage(error)) throw error;
        const failure = failureOf(trigger, error, attemptsMax);
        await db.unitOfWork(clientId, async (uow) => {
          await recordFailures(uow, [failure]);
          await recordDead(uow, [failure]);
        });
        report(clientId, failure, error);
      }
    },
  };
}
