import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type NewLimiter, ownLimiter, waitOf } from '../../kernel/concurrency/limiter.ts';
import { RateLimited } from '../../kernel/errors/rate-limited.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Slows down an address that sends one unknown credential after the other. */
export type CredentialThrottle = {
  /**
   * Looks up a credential for `address`. A known credential is looked up even for a blocked address, because all callers behind one proxy
   * share an address.
   * @param digest identifies the credential without containing it
   * @throws RateLimited without a look-up, while the address has sent too many unknown credentials
   */
  lookUp<Found>(address: string, digest: string, find: () => Promise<Found | undefined>): Promise<Found | undefined>;
};

/** Seconds over which unknown credentials are counted. */
const WINDOW = 60;

/** Seconds for which other processes remember a credential that this process has accepted. */
const SHARED_FOR = 3_600;

/** Milliseconds after which a known credential is shared again. */
const LOG_EVERY = 300_000;

/** Cached known credentials; 100 bytes each. */
const KNOWN = 20_000;

/**
 * A throttle with `perMinute` unknown credentials per address, over all processes that share the counts of `newLimiter`, otherwise in this
 * process alone. Processes also share the known credentials. Otherwise a new process would refuse every caller of an address on which
 * another caller guesses.
 */
export function credentialThrottle(perMinute: number, newLimiter?: NewLimiter): CredentialThrottle {
  const misses = (newLimiter ?? ownLimiter)({ name: 'unknown credentials', points: perMinute, duration: WINDOW });
  // This limiter never reaches its limit: it only stores keys with an expiry.
  const shared = newLimiter?.({ name: 'known credentials', points: Number.MAX_SAFE_INTEGER, duration: SHARED_FOR });
  /** The time of the last sharing of each credential, by `performance.now()`. */
  const known = new LRUCache<string, number>({ max: KNOWN });

  return {
    async lookUp(address, digest, find) {
      const network = networkOf(address);
      const behind = await misses.get(network);
      if (behind !== null && behind.consumedPoints >= perMinute && !(await isKnown(digest))) {
        throw new RateLimited(
          sentence`Too many unknown credentials came from this address.`,
          waitOf(behind, { duration: WINDOW }),
        );
      }
      const found = await find();
      if (found === undefined) await misses.penalty(network);
      else await remember(digest);
      return found;
    },
  };

  async function isKnown(digest: string): Promise<boolean> {
    return known.has(digest) || (shared !== undefined && (await shared.get(digest)) !== null);
  }

  async function remember(digest: string): Promise<void> {
    const now = performance.now();
    if (now - (known.get(digest) ?? -Infinity) < LOG_EVERY) return;
    known.set(digest, now);
    await shared?.penalty(digest);
  }
}

/**
 * The key of an address for limits: for IPv6 the /64, because one caller has all of it. The text is the same for every
 * spelling, and is part of stored counters. Other addresses stay unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return `::ffff:${parsed.toIPv4Address().toString()}`;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
