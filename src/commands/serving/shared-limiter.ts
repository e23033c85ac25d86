import { RateLimiterCluster, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { type NewLimiter, ownLimiter } from '../../kernel/concurrency/limiter.ts';

/**
 * Milliseconds that a call waits for the shared count, which usually takes a fraction of a millisecond. After that the call is counted in
 * this process alone: a less exact limit is better than a failed call.
 */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Limiters with counts in the parent process, so that a limit holds for all processes together. The parent process must have created a
 * `RateLimiterClusterMaster`. A process may use each name once.
 */
export const sharedLimiter: NewLimiter = ({ name, points, duration }) =>
  new RLWrapperTimeouts({
    // Longer than the wrapper's timeout, so that the wrapper decides.
    limiter: new RateLimiterCluster({ points, duration, keyPrefix: name, timeoutMs: 2 * ANSWER_TIMEOUT_MS }),
    timeoutMs: ANSWER_TIMEOUT_MS,
    insuranceLimiter: ownLimiter({ name, points, duration }),
  });
