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
  Unfit,
  unstorableText,
} from './failures.ts';

/** Repetitions after a deadlock or serialization failure. */
const CONTENTION_RETRIES = 5;

/** Repetitions after a connection that was lost before the commit: enough for a server that restarted meanwhile. */
const CONNECTION_RETRIES = 1;

/** Milliseconds after which nothing is repeated: the caller has given up, or asked elsewhere. Contract: docs/decisions/0021. */
const REPEATED_WITHIN_MS = 10_000;

/**
 * Makes attempts at a transaction until one succeeds or another would not help. Only what certainly stored nothing is
 * repeated, for ten seconds at most, and not after the process has stood still: its caller may have had another answer
 * elsewhere meanwhile.
 * @throws DomainError `DATABASE_BUSY`, `DATABASE_FULL` or `DATABASE_UNAVAILABLE` for what the database is to blame for, `BAD_REQUEST` for a
 * text that it cannot hold; else what `attempt` threw
 * @param failed told of every attempt that threw, with what it threw; it must be quick
 */
export async function repeating<T>(
  attempt: () => Promise<T>,
  logger?: Logger,
  failed?: (error: unknown) => void,
): Promise<T> {
  const begun = performance.now();
  const isLate = () => performance.now() - begun > REPEATED_WITHIN_MS || stalledSince(begun);
  const left = { contention: CONTENTION_RETRIES, connection: CONNECTION_RETRIES };
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      failed?.(error);
      const cause = repeatableCause(error);
      if (isFull(error)) logger?.error({ err: error }, 'the disk of PostgreSQL is full: make room');
      if (cause === undefined || left[cause] === 0 || isLate()) throw toDomainError(error);
      left[cause]--;
      logger?.debug({ err: error, left }, 'a unit of work is repeated');
      if (cause === 'contention') await sleep(pause(CONTENTION_RETRIES - left.contention));
    }
  }
}

function repeatableCause(error: unknown): 'contention' | 'connection' | undefined {
  if (error instanceof DomainError) return undefined;
  if (isContention(error)) return 'contention';
  return error instanceof ConnectionLost || isStalePlan(error) ? 'connection' : undefined;
}

/** Milliseconds, at random, so that those who met do not meet again: up to 10 the first time, up to 160 the last. */
function pause(time: number): number {
  return Math.random() * 5 * 2 ** time;
}

function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isUnstorableText(error)) return unstorableText();
  if (isTimeout(error) || isIdleTimeout(error)) return tookTooLong(error);
  if (isContention(error)) return databaseBusy(error);
  if (isFull(error)) return databaseFull(error);
  if (error instanceof Unfit || isNodeLost(error)) return databaseUnavailable(error);
  if (error instanceof ConnectionLost || isStalePlan(error) || isOutOfService(error)) return databaseUnavailable(error);
  return error;
}
