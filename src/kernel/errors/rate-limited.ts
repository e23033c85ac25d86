import { DomainError } from './domain-error.ts';
import type { ErrorCodeName } from './error-codes.ts';
import { sentence, type Sentence } from '../sentence.ts';

/** The 429 of a caller that must wait, with the time. */
export class TooManyRequests extends DomainError {
  /** Whole seconds, at least one: the header `Retry-After` has no smaller unit. */
  readonly retryAfter: number;

  /** @param waitMs milliseconds until the same request would be processed again */
  constructor(code: ErrorCodeName, message: string | Sentence, waitMs: number) {
    super(code, message);
    this.retryAfter = secondsOf(waitMs);
  }
}

/** The 429 of a caller with too many requests, with the time of the next one. */
export class RateLimited extends TooManyRequests {
  /** @param waitMs milliseconds until the next request would be accepted */
  constructor(what: Sentence, waitMs: number) {
    const message = sentence`${what} Repeat the call after ${secondsOf(waitMs)} s, and send fewer per second.`;
    super('RATE_LIMITED', message, waitMs);
  }
}

function secondsOf(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
