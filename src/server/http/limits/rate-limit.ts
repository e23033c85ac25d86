import { BurstyRateLimiter } from 'rate-limiter-flexible';
import type { Principal } from '../../../clients/principal.ts';
import { ownLimiter, waitOf } from '../../../kernel/concurrency/limiter.ts';
import { RateLimited } from '../../../kernel/errors/rate-limited.ts';
import { sentence } from '../../../kernel/sentence.ts';

/** The limit of requests of one credential, or of the account tokens of one account, to one process, or to all processes that share their limiters. */
export type RateLimitOptions = {
  /** Sustained requests per second. */
  readonly perSecond: number;
  /** Additional requests within any ten seconds. */
  readonly burst: number;
};

/**
 * Counts one request of a principal.
 * @throws RateLimited once both the second's and the burst's share are used up
 */
export type RateLimit = (principal: Principal) => Promise<void>;

/** Seconds after which a used burst is available again. */
const BURST_WINDOW = 10;

/** The limit of all processes that share the counts of `newLimiter`; each further host adds its own limit. */
export function createRateLimit({ perSecond, burst }: RateLimitOptions, newLimiter = ownLimiter): RateLimit {
  const limiter = new BurstyRateLimiter(
    newLimiter({ name: 'requests', points: perSecond, duration: 1 }),
    newLimiter({ name: 'burst', points: burst, duration: BURST_WINDOW }),
  );
  return async ({ credentialId, account }) => {
    try {
      await limiter.consume(account?.id ?? credentialId);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const waitMs = waitOf(refusal as { msBeforeNext: number }, { duration: BURST_WINDOW });
      throw new RateLimited(
        account === undefined
          ? sentence`This credential has used up its ${perSecond} requests a second.`
          : sentence`The tokens of this account have used up their ${perSecond} requests a second.`,
        waitMs,
      );
    }
  };
}
