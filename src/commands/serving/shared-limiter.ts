import { RateLimiterCluster, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { type NewLimiter, ownLimiter } from '../../kernel/concurrency/limiter.ts';

/**
 * Milliseconds that a call waits for the count that all processes share, which is there after a fraction of one. Later it is
 * counted in this process alone: a limit that holds less well is better than a call that fails.
 */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Limiters whose counts lie in the process that started this one, so that they hold in sum. That one must have made a
 * `RateLimiterClusterMaster`; each name may be used once in a process.
 */
export const sharedLimiter: NewLimiter = ({ name, points, duration }) =>
  new RLWrapperTimeouts({
    // Longer than the wrapper waits, so that the wrapper decides.
    limiter: new RateLimiterCluster({ points, duration, keyPrefix: name, timeoutMs: 2 * ANSWER_TIMEOUT_MS }),
    timeoutMs: ANSWER_TIMEOUT_MS,
    insuranceLimiter: ownLimiter({ name, points, duration }),
  });
