import type { Logger } from 'pino';
import type { Catalogs } from '../../campaigns/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/dispatcher.ts';
import { enqueuedIn } from '../../webhooks/enqueue-webhooks.ts';
import { runTriggers } from '../run-triggers.ts';
import { failureOf, isOutage, type Tried } from './failure-of.ts';
import { type Failure, recordFailures, removeTriggers } from './inbox.queries.ts';
import { triggerOf, type WaitingTrigger } from './waiting-trigger.ts';

/** Applies triggers that wait. */
export type ApplyWaiting = {
  /** Applies and removes triggers, and records those that failed, as part of a transaction. Pass the result to `settle`. */
  apply(uow: UnitOfWork, taken: readonly WaitingTrigger[]): Promise<Applied>;
  /** Tells of what was applied, once that is committed. */
  settle(clientId: string, applied: Applied): void;
  /**
   * Does both with one trigger, by `run`, and records it as failed if that fails as a whole.
   * @throws DomainError of an outage, which is no failure of the trigger
   */
  applyOne(clientId: string, trigger: Tried, run: () => Promise<Applied>): Promise<void>;
};

/** What came of it. */
export type Applied = {
  /** How many triggers were tried, from the first: the others are more work than one transaction should be. */
  readonly tried: number;
  readonly failed: readonly { readonly failure: Failure; readonly error: Error }[];
  /** Whether webhooks are to be sent. */
  readonly hasWebhooks: boolean;
};

export type ApplyWaitingOptions = {
  readonly db: Database;
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Failures that make a trigger a dead letter. */
  readonly attemptsMax: number;
};

export function applyWaiting({
  db,
  catalogs,
  dispatcher,
  clock,
  logger,
  attemptsMax,
}: ApplyWaitingOptions): ApplyWaiting {
  function report(clientId: string, failure: Failure, error: unknown): void {
    const { id: triggerId, attempts, code } = failure;
    const facts = { err: error, clientId, triggerId, attempts, code };
    if (failure.retryInMs === undefined) logger.warn(facts, 'inbox: the trigger is a dead letter now');
    else logger.info(facts, 'inbox: the trigger is tried again later');
  }

  function settle(clientId: string, { failed, hasWebhooks }: Applied): void {
    for (const { failure, error } of failed) report(clientId, failure, error);
    // Not by their ids, which would send them now: the answer to a trigger just accepted may still be on its way.
    if (hasWebhooks) dispatcher.wake(clientId);
  }

  return {
    settle,

    async apply(uow, taken) {
      if (taken.length === 0) return { tried: 0, failed: [], hasWebhooks: false };
      const acceptedAt = taken.map((trigger) => trigger.acceptedAt);
      const outcomes = await runTriggers(uow, catalogs, taken.map(triggerOf), clock(), acceptedAt);
      const tried = taken.slice(0, outcomes.length);
      const failed = outcomes.flatMap((outcome, index) =>
        outcome instanceof Error ? [{ failure: failureOf(tried[index]!, outcome, attemptsMax), error: outcome }] : [],
      );
      const applied = tried.filter((_, index) => !(outcomes[index] instanceof Error));
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
      return { tried: tried.length, failed, hasWebhooks: enqueuedIn(uow).length > 0 };
    },

    async applyOne(clientId, trigger, run) {
      try {
        settle(clientId, await run());
      } catch (error) {
        if (isOutage(error)) throw error;
        const failure = failureOf(trigger, error, attemptsMax);
        await db.unitOfWork(clientId, (uow) => recordFailures(uow, [failure]));
        report(clientId, failure, error);
      }
    },
  };
}
