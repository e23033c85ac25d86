import { ownLimiter, waitOf } from '../../kernel/concurrency/limiter.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { networkOf } from '../credentials/credential-throttle.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Slows down an address with many failed sign-ins, whichever users they are for. */
export type SignInThrottle = {
  /** @throws MustWait `TOO_MANY_SIGN_INS` */
  requireRoom(address: string): Promise<void>;
  /** Counts a failed sign-in. */
  failed(address: string): Promise<void>;
};

/** Failures from one address within {@link WINDOW}; an office behind one proxy shares them. */
const FAILURES = 30;

/** Seconds. */
const WINDOW = 600;

/**
 * A throttle of one way to sign in, over all processes that share the counts of `newLimiter`.
 * @param clock for the time in its message
 */
export function signInThrottle(clock: Clock, way: 'PASSWORD' | 'PROVIDER', newLimiter = ownLimiter): SignInThrottle {
  const failures = newLimiter({ name: `sign-in ${way}`, points: FAILURES, duration: WINDOW });
  return {
    async requireRoom(address) {
      const known = await failures.get(networkOf(address));
      if (known === null || known.consumedPoints < FAILURES) return;
      const waitMs = waitOf(known, { duration: WINDOW });
      const until = new Date(clock().getTime() + waitMs);
      throw new TooManyRequests(
        'TOO_MANY_SIGN_INS',
        sentence`Too many sign-ins from this address have failed. Try again after ${until}.`,
        waitMs,
      );
    },
    async failed(address) {
      await failures.penalty(networkOf(address));
    },
  };
}
