const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between one attempt and the next: nine retries within 23 h 36 min 5 s, give or take the spread. */
const PAUSES_MS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR] as const;

/** Milliseconds from the first attempt to the last possible retry. */
export const RETRY_FOR_MS = 24 * HOUR;

/** Each pause is up to a tenth shorter or longer, so that messages that failed together are not retried together. */
const SPREAD = 0.1;

/** Milliseconds between one attempt and the next, at most. */
export const LONGEST_PAUSE_MS = Math.round(Math.max(...PAUSES_MS) * (1 + SPREAD));

/** The maximum of waiting retries of one client. */
export const BACKLOG_MAX = 10_000;

/** The longest pause by a receiver's Retry-After, in milliseconds: a wrong one must not prevent the delivery. */
const RETRY_AFTER_MAX_MS = HOUR;

/** The consequence of a failed attempt. `SCHEDULED` becomes `EXHAUSTED` if it is recorded after the 24 hours. */
export type Retry = 'SCHEDULED' | 'GONE' | 'EXHAUSTED' | 'BACKLOG_FULL' | 'ENDED';

/** The consequence of an attempt, with the milliseconds until the next one. */
export type RetryPlan = { readonly retry: Exclude<Retry, 'ENDED'>; readonly pauseMs: number };

/** The receiver's answer to an attempt. */
type Answered = { readonly statusCode: number | null; readonly retryAfterMs?: number | undefined };

/**
 * The consequence of an undelivered attempt. Every failure is retried, including a 4xx, which a wrongly deployed receiver may answer. Only
 * 410 ends the message.
 * @param failedRetries the number of earlier failed retries, without this attempt if it was the first
 * @param random 0 to 1, for the spread
 */
export function retryPlan(
  { statusCode, retryAfterMs = 0 }: Answered,
  failedRetries: number,
  random = Math.random(),
): RetryPlan {
  if (statusCode === 410) return { retry: 'GONE', pauseMs: 0 };
  const pauseMs = PAUSES_MS[failedRetries];
  if (pauseMs === undefined) return { retry: 'EXHAUSTED', pauseMs: 0 };
  const spreadMs = Math.round(pauseMs * (1 + SPREAD * (2 * random - 1)));
  return { retry: 'SCHEDULED', pauseMs: Math.max(spreadMs, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)) };
}

/** The milliseconds of a Retry-After header; undefined unless it has one of the two forms of RFC 9110. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
