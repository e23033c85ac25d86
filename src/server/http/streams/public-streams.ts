import { networkOf } from '../../../clients/credentials/credential-throttle.ts';
import { TooManyRequests } from '../../../kernel/errors/rate-limited.ts';
import { sentence } from '../../../kernel/sentence.ts';
import { DEFAULT_SETTINGS } from '../../../kernel/default-settings.ts';

/**
 * Streams without a credential: health watches and reflection. Open streams cost memory, so each address has a limit, and all addresses
 * together have another one.
 */
export type PublicStreams = {
  /**
   * Counts a stream, and returns the function that ends the count; a second call of it does nothing.
   * @param address the address of the caller; an IPv6 /64 is one
   * @param isAuthenticated whether a credential was accepted on its connection: then the limit of the address does not apply, and the
   * stream uses separate slots
   * @throws MustWait `RATE_LIMITED` without a free slot
   */
  enter(address: string, isAuthenticated: boolean): () => void;
  /** The number of open streams. */
  open(): number;
};

/**
 * The number of addresses whose limits together are all slots without a credential; authenticated connections have the same number of
 * slots.
 */
const ADDRESSES = 10;

/** The advised milliseconds until the next try. */
const WAIT_MS = 1_000;

/** @param perAddress the maximum of open streams of one address; all addresses together have ten times as many */
export function createPublicStreams(perAddress: number = DEFAULT_SETTINGS.publicStreams): PublicStreams {
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
    if ((byNetwork.get(network) ?? 0) >= perAddress) throw noFreeSlot(perAddress);
    if (open.strangers >= most) throw noFreeSlot(most);
    add(network, 1);
  }

  return {
    enter(address, isAuthenticated) {
      const network = networkOf(address);
      if (isAuthenticated) {
        if (open.known >= most) throw noFreeSlot(most);
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

function noFreeSlot(most: number): TooManyRequests {
  const message = sentence`All ${most} places for streams without a credential are taken. Repeat the call after 1 s.`;
  return new TooManyRequests('RATE_LIMITED', message, WAIT_MS);
}
