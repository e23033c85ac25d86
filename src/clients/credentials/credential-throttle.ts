import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { RateLimited } from '../../kernel/rate-limited.ts';
import { told } from '../../kernel/told.ts';

/** Slows down an address that sends one unknown credential after the other. */
export type CredentialThrottle = {
  /**
   * Looks a credential up on behalf of `address`. A credential that was found here before is looked up also for an address
   * that guesses: behind one proxy all callers share an address.
   * @param digest names the credential without holding it
   * @throws RateLimited without a look-up, while the address has too many unknown ones behind it
   */
  lookUp<Found>(address: string, digest: string, find: () => Promise<Found | undefined>): Promise<Found | undefined>;
};

/** Seconds over which unknown credentials are counted. */
const WINDOW = 60;

/** Credentials remembered as known; 100 bytes each. */
const KNOWN = 20_000;

/** A throttle that lets each address be wrong `perMinute` times a minute. Counted in this process alone. */
export function credentialThrottle(perMinute: number): CredentialThrottle {
  const misses = new RateLimiterMemory({ points: perMinute, duration: WINDOW });
  const known = new LRUCache<string, true>({ max: KNOWN });

  return {
    async lookUp(address, digest, find) {
      const network = networkOf(address);
      const behind = await misses.get(network);
      if (behind !== null && behind.consumedPoints >= perMinute && !known.has(digest)) {
        throw new RateLimited(told`Too many unknown credentials came from this address.`, behind.msBeforeNext);
      }
      const found = await find();
      if (found === undefined) await misses.penalty(network);
      else known.set(digest, true);
      return found;
    },
  };
}

/**
 * What counts as one address: of IPv6 a whole /64, which one caller commands. The text is the same for every spelling, and is
 * part of stored counters; what is no IPv6 address stays as it is.
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
