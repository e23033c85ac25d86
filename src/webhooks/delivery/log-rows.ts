import { limitedKeys } from '../../persistence/key-lookup.ts';
import type { FinishedAttempt } from '../outbox/claimed-message.ts';
import type { Retry, RetryPlan } from '../retries/retry-schedule.ts';

/** An attempt with the column names of the log, and its consequence. */
export type LoggedAttempt = ReturnType<typeof loggedAttempt>;

/** @param plan the consequence of a failed attempt of a webhook with retries; undefined for others */
export function loggedAttempt(
  { message, attempt }: FinishedAttempt,
  plan?: RetryPlan | { retry: 'ENDED'; pauseMs: 0 },
) {
  return {
    id: attempt.id,
    message_id: message.id,
    type: message.type,
    endpoint_id: message.endpointId,
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
  endpoint_id: 'uuid',
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

/** SQL for attempts with the alias `l`, from the parameters of {@link loggedValues}, which follow the client. */
export const LOGGED = limitedKeys(
  `unnest(${Object.values(TYPES)
    .map((type, index) => `$${index + 2}::${type}[]`)
    .join(', ')}) as l(${NAMES.join(', ')})`,
  'l',
);

/** The parameters: an array for each column. */
export function loggedValues(rows: readonly LoggedAttempt[]): unknown[][] {
  return NAMES.map((name) => rows.map((row) => row[name]));
}

/** The columns of the log that come from the attempt, without `client_id`; and the same with the alias `l`. */
export const LOG_COLUMNS =
  'id, message_id, type, endpoint_id, attempt, method, target, attempted_at, duration_ms, outcome, status_code, error, response_excerpt';
export const LOGGED_VALUES = LOG_COLUMNS.split(', ')
  .map((column) => `l.${column}`)
  .join(', ');
