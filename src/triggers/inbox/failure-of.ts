import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../../kernel/errors/error-codes.ts';
import type { Failure } from './inbox.queries.ts';
import { LONGEST_RETRY_MS, type WaitingTrigger } from './waiting-trigger.ts';

/** Milliseconds until the second attempt; each further delay is five times as long: 1 s, 5 s, 25 s, two minutes. */
const FIRST_RETRY_MS = 1_000;
const BACKOFF = 5;

/** Milliseconds until another call likely finishes the same operation; this is no failure. */
const IN_PROGRESS_MS = 100;

/** A trigger, and the number of its failures before this attempt. */
export type Tried = Pick<WaitingTrigger, 'id' | 'attempts'>;

/** Milliseconds between attempt number `attempts` and the next. */
export function retryAfter(attempts: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * BACKOFF ** (attempts - 1));
}

/**
 * The failure of a trigger that could not be applied: an error that a retry cannot fix makes it a dead trigger immediately.
 */
export function failureOf({ id, attempts: before }: Tried, error: unknown, attemptsMax: number): Failure {
  const failure = { id, ...wordsOf(id, error) };
  if (error instanceof DomainError && error.kind === 'IN_PROGRESS') {
    return { ...failure, attempts: before, retryInMs: IN_PROGRESS_MS };
  }
  const attempts = before + 1;
  const mayHeal = !(error instanceof DomainError) || error.kind === 'UNAVAILABLE';
  const retryInMs = mayHeal && attempts < attemptsMax ? retryAfter(attempts) : undefined;
  return { ...failure, attempts, retryInMs };
}

/** An unexpected error may contain data that an operator of one client must not see: only the log has it. */
function wordsOf(id: string, error: unknown): { code: ErrorCodeName; message: string } {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  const message = `The service failed to apply the event; its log tells why, under the event's id ${id}. Replay it once that is fixed.`;
  return { code: 'INTERNAL_SERVER_ERROR', message };
}

/** Whether the database is unavailable or full: then no trigger is at fault, and trying others would not help. */
export function isOutage(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'DATABASE_FULL');
}
