import { networkOf } from '../../../clients/credentials/credential-throttle.ts';
import { TooManyRequests } from '../../../kernel/errors/rate-limited.ts';
import { sentence } from '../../../kernel/sentence.ts';

/**
 * Streams that nobody had to show a credential for: health watches and reflection. They cost memory as long as they are open, so
 * that each address has a number of them, and all addresses have one together.
 */
export type PublicStreams = {
  /**
   * Counts one in, and gives what counts it out: a second call does nothing.
   * @param address of the caller; an IPv6 /64 is one
   * @param isAuthenticated whether a credential was accepted on its connection: then the number of its address does not count, and
   * strangers do not take its places
   * @throws MustWait `RATE_LIMITED` if there is no place
   */
  enter(address: string, isAuthenticated: boolean): () => void;
  /** How many are open now. */
  open(): number;
};

/** Of an address, if nothing else is configured: a machine with many channels that watch the service's health. */
export const PUBLIC_STREAMS_DEFAULT = 100;

/** Addresses that together have all places of strangers; and as many places again are for known connections. */
const ADDRESSES = 10;

/** Milliseconds after which it is worth trying again. */
const WAIT_MS = 1_000;

/** @param perAddress streams that one address may have open; all strangers together have ten times as many */
export function createPublicStreams(perAddress = PUBLIC_STREAMS_DEFAULT): PublicStreams {
  const byNetwork = new Map<string, number>();
  const open = { strangers: 0, known: 0 };
  const most = perAddress * ADDRESSES;

  function add(network: string, count: 1 | -1): void {
    open.strangers += count;
    const now = (byNetwork.get(network) ?? 0) + count;
    if (now === 0) byNetwork.delete(network);
    else byNetwork.set(network, now);
  }

  function enterStranger(network: string): void {
    if ((byNetwork.get(network) ?? 0) >= perAddress) throw noPlace(perAddress);
    if (open.strangers >= most) throw noPlace(most);
    add(network, 1);
  }

  return {
    enter(address, isAuthenticated) {
      const network = networkOf(address);
      if (isAuthenticated) {
        if (open.known >= most) throw noPlace(most);
        open.known += 1;
      } else {
        enterStranger(network);
      }
      let left = false;
      return () => {
        if (left) return;
        left = true;
        if (isAuthenticated) open.known -= 1;
        else add(network, -1);
      };
    },
    open: () => open.strangers + open.known,
  };
}

function noPlace(most: number): TooManyRequests {
  const message = sentence`All ${most} places for streams without a credential are taken. Repeat the call after 1 s.`;
  return new TooManyRequests('RATE_LIMITED', message, WAIT_MS);
}
