import { limitedKeys } from '../../persistence/by-keys.ts';
import type { Outcome } from '../outbox/claimed-message.ts';
import type { Retry, RetryPlan } from '../retries/retry-schedule.ts';

/** An attempt as it enters the log, in the names of the columns, and what is to follow it. */
export type LoggedAttempt = ReturnType<typeof loggedAttempt>;

/** @param plan what follows a failed attempt of a webhook that retries; undefined for others */
export function loggedAttempt({ message, attempt }: Outcome, plan?: RetryPlan | { retry: 'ENDED'; pauseMs: 0 }) {
  return {
    id: attempt.id,
    message_id: message.id,
    type: message.type,
    attempt: message.attempts,
    method: attempt.method,
    target: attempt.target,
    attempted_at: attempt.attemptedAt,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_excerpt: attempt.responseExcerpt,
    retry: (plan?.retry ?? null) satisfies Retry | null,
    pause_ms: plan?.pauseMs ?? 0,
    failed_retries: message.failedRetries,
  };
}

const TYPES = {
  id: 'uuid',
  message_id: 'uuid',
  type: 'text',
  attempt: 'int',
  method: 'text',
  target: 'text',
  attempted_at: 'timestamptz',
  duration_ms: 'int',
  outcome: 'text',
  status_code: 'int',
  error: 'text',
  response_excerpt: 'text',
  retry: 'text',
  pause_ms: 'float8',
  failed_retries: 'int',
} satisfies Record<keyof LoggedAttempt, string>;

const NAMES = Object.keys(TYPES) as (keyof LoggedAttempt)[];

/** SQL for attempts under the alias `l`, from the parameters behind the client that {@link loggedValues} gives. */
export const LOGGED = limitedKeys(
  `unnest(${Object.values(TYPES)
    .map((type, index) => `$${index + 2}::${type}[]`)
    .join(', ')}) as l(${NAMES.join(', ')})`,
  'l',
);

/** A list for each column. */
export function loggedValues(rows: readonly LoggedAttempt[]): unknown[][] {
  return NAMES.map((name) => rows.map((row) => row[name]));
}

/** Columns of the log that come from the attempt, without `client_id`; and the same of `l`. */
export const LOG_COLUMNS =
  'id, message_id, type, attempt, method, target, attempted_at, duration_ms, outcome, status_code, error, response_excerpt';
export const LOGGED_VALUES = LOG_COLUMNS.split(', ')
  .map((column) => `l.${column}`)
  .join(', ');
