import { DomainError } from './domain-error.ts';

/** The 429 of a caller who asks too often, and when to ask again. */
export class RateLimited extends DomainError {
  /** Whole seconds, at least one: the header `Retry-After` has no smaller unit. */
  readonly retryAfter: number;

  /** @param waitMs milliseconds until the next request would be accepted */
  constructor(what: string, waitMs: number) {
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000));
    super('rateLimited', 'RATE_LIMITED', `${what} Repeat the call after ${retryAfter} s, and send fewer per second.`);
    this.retryAfter = retryAfter;
  }
}
