import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { stalledSince } from '../../kernel/concurrency/stalls.ts';
import {
  ConnectionLost,
  databaseBusy,
  databaseFull,
  databaseUnavailable,
  isContention,
  isFull,
  isIdleTimeout,
  isNodeLost,
  isOutOfService,
  isStalePlan,
  isTimeout,
  isUnstorableText,
  tookTooLong,
  DatabaseNotReady,
  unstorableText,
} from './failures.ts';

/** Retries after a deadlock or serialization failure. */
const CONTENTION_RETRIES = 5;

/** Retries after a connection that was lost before the commit: enough for a server that restarted meanwhile. */
const CONNECTION_RETRIES = 1;

/** Milliseconds after which nothing is retried: the caller has given up, or asked another process. Contract: docs/decisions/0021. */
const RETRY_WITHIN_MS = 10_000;

/**
 * Runs attempts at a transaction until one succeeds or another would not help. A retry follows only if the attempt certainly stored
 * nothing, for ten seconds at most. After a pause of the whole process there is none: its caller may have had the answer of another
 * process meanwhile.
 * @throws DomainError `DATABASE_BUSY`, `DATABASE_FULL` or `DATABASE_UNAVAILABLE` for a fault of the database, `BAD_REQUEST` for a
 * text that it cannot store; else the error of `attempt`
 * @param failed receives the error of every failed attempt; it must be quick
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  logger?: Logger,
  failed?: (error: unknown) => void,
): Promise<T> {
  const begun = performance.now();
  const isLate = () => performance.now() - begun > RETRY_WITHIN_MS || stalledSince(begun);
  const retriesLeft = { contention: CONTENTION_RETRIES, connection: CONNECTION_RETRIES };
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      failed?.(error);
      const cause = retryCause(error);
      if (isFull(error)) logger?.error({ err: error }, 'the disk of PostgreSQL is full: make room');
      if (cause === undefined || retriesLeft[cause] === 0 || isLate()) throw toDomainError(error);
      retriesLeft[cause]--;
      logger?.debug({ err: error, left: retriesLeft }, 'a unit of work is repeated');
      if (cause === 'contention') await sleep(pause(CONTENTION_RETRIES - retriesLeft.contention));
    }
  }
}

function retryCause(error: unknown): 'contention' | 'connection' | undefined {
  if (error instanceof DomainError) return undefined;
  if (isContention(error)) return 'contention';
  return error instanceof ConnectionLost || isStalePlan(error) ? 'connection' : undefined;
}

/** Milliseconds, at random, so that the same transactions do not conflict again: up to 10 the first time, up to 160 the last. */
function pause(time: number): number {
  return Math.random() * 5 * 2 ** time;
}

function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isUnstorableText(error)) return unstorableText();
  if (isTimeout(error) || isIdleTimeout(error)) return tookTooLong(error);
  if (isContention(error)) return databaseBusy(error);
  if (isFull(error)) return databaseFull(error);
  if (error instanceof DatabaseNotReady || isNodeLost(error)) return databaseUnavailable(error);
  if (error instanceof ConnectionLost || isStalePlan(error) || isOutOfService(error)) return databaseUnavailable(error);
  return error;
}
