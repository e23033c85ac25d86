import type net from 'node:net';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../../clients/credentials/credential-throttle.ts';
import { DEFAULT_SETTINGS } from '../../../kernel/default-settings.ts';

/**
 * Limits the rate of new connections. Connections from an address with an accepted credential start at once. Others
 * start at a limited rate, because an attacker could start a hundred streams with each connection and drop it.
 */
export type ConnectionThrottle = {
  /**
   * Calls `begin` at once, or when the address may start one more connection. The socket is not read before. If too many wait, the newest
   * is closed.
   */
  admit(socket: net.Socket, begin: () => void): void;
  /** Records an accepted credential of the address, and starts its waiting connections. */
  trust(address: string): void;
  /** The number of waiting connections. */
  waiting(): number;
  /** Closes the waiting connections. */
  close(): void;
};

/** The seconds of unused rate that an address can accumulate: a browser or a starting host opens several connections at once. */
const SAVED_S = 2;

/** The longest wait of a connection in seconds; load balancers give up after about ten. */
const WAITING_S = 10;

/** Milliseconds for which an address is known after its last accepted credential. */
const KNOWN_MS = 600_000;

/** The maximum of remembered addresses, separately for known and unknown ones; some 200 bytes each. */
const ADDRESSES_MAX = 10_000;

/** Milliseconds between two checks of the waiting connections. */
const CHECK_MS = 50;

type Waiting = { readonly socket: net.Socket; readonly begin: () => void };

type Stranger = {
  /** The number of connections that may begin at the time `at`; it may be a fraction. */
  credit: number;
  /** The time by `performance.now()`. */
  at: number;
  readonly queue: Waiting[];
};

/** @param perSecond connections of an address without a credential; 0 lets any number begin at once */
export function createConnectionThrottle(
  perSecond: number = DEFAULT_SETTINGS.anonymousConnectionsPerSecond,
): ConnectionThrottle {
  const creditMax = Math.max(1, perSecond * SAVED_S);
  const known = new LRUCache<string, true>({ max: ADDRESSES_MAX, ttl: KNOWN_MS });
  const strangers = new LRUCache<string, Stranger>({ max: ADDRESSES_MAX, dispose: ({ queue }) => end(queue) });
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;

  function refill(stranger: Stranger, now: number): Stranger {
    stranger.credit = Math.min(creditMax, stranger.credit + ((now - stranger.at) / 1_000) * perSecond);
    stranger.at = now;
    return stranger;
  }

  function strangerAt(network: string): Stranger {
    const now = performance.now();
    const present = strangers.get(network);
    if (present !== undefined) return refill(present, now);
    const stranger = { credit: creditMax, at: now, queue: [] };
    strangers.set(network, stranger);
    return stranger;
  }

  function end(queue: Waiting[]): void {
    waiting -= queue.length;
    for (const { socket } of queue.splice(0)) socket.destroy();
  }

  /** Begins the longest waiting connections. */
  function beginSome({ queue }: Stranger, count: number): void {
    for (const { begin } of queue.splice(0, count)) {
      waiting -= 1;
      begin();
    }
  }

  function check(): void {
    const now = performance.now();
    for (const stranger of strangers.values()) {
      if (stranger.queue.length === 0) continue;
      const count = Math.min(stranger.queue.length, Math.floor(refill(stranger, now).credit));
      stranger.credit -= count;
      beginSome(stranger, count);
    }
    if (waiting > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    admit(socket, begin) {
      const network = networkOf(socket.remoteAddress ?? '');
      if (perSecond === 0 || known.has(network)) return begin();
      const stranger = strangerAt(network);
      if (stranger.queue.length === 0 && stranger.credit >= 1) {
        stranger.credit -= 1;
        return begin();
      }
      if (stranger.queue.length >= perSecond * WAITING_S) {
        socket.destroy();
        return;
      }
      stranger.queue.push({ socket, begin });
      waiting += 1;
      timer ??= setInterval(check, CHECK_MS).unref();
    },
    trust(address) {
      const network = networkOf(address);
      known.set(network, true);
      const stranger = strangers.peek(network);
      if (stranger !== undefined) beginSome(stranger, stranger.queue.length);
    },
    waiting: () => waiting,
    close() {
      clearInterval(timer);
      for (const { queue } of strangers.values()) end(queue);
    },
  };
}
