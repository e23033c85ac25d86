import type net from 'node:net';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../../clients/credentials/credential-throttle.ts';

/**
 * Limits the rate of new connections. Connections from an address with an accepted credential start at once. Others
 * start at a limited rate, because an attacker could start a hundred streams with each connection and drop it.
 */
export type ConnectionThrottle = {
  /** Calls `begin`: at once, or when the address may have one more. Nothing is read before. When too many wait, the newest is closed. */
  admit(socket: net.Socket, begin: () => void): void;
  /** Records an accepted credential of the address, and starts its waiting connections. */
  trust(address: string): void;
  /** How many wait now. */
  waiting(): number;
  /** Ends those that wait. */
  close(): void;
};

/** Connections that begin in a second, of an address from which no credential was accepted; an IPv6 /64 is one address. */
export const CONNECTIONS_DEFAULT = 20;

/** Seconds for which connections may be saved up: a browser, or a host that starts, opens several at once. */
const SAVED_S = 2;

/** Seconds for which a connection may have to wait; a load balancer gives one up after some ten. */
const WAITING_S = 10;

/** Milliseconds for which an address is known after its last connection has shown a credential. */
const KNOWN_MS = 600_000;

/** Addresses that are remembered, known ones and strangers each; some 200 bytes each. */
const ADDRESSES_MAX = 10_000;

/** Milliseconds between two looks at those that wait. */
const LOOK_MS = 50;

type Waiting = { readonly socket: net.Socket; readonly begin: () => void };

type Stranger = {
  /** Connections that may begin at once, as of `at`; a fraction of one, too. */
  credit: number;
  /** By `performance.now()`. */
  at: number;
  readonly queue: Waiting[];
};

/** @param perSecond connections of an address without a credential; 0 lets any number begin at once */
export function createConnectionThrottle(perSecond = CONNECTIONS_DEFAULT): ConnectionThrottle {
  const creditMax = Math.max(1, perSecond * SAVED_S);
  const known = new LRUCache<string, true>({ max: ADDRESSES_MAX, ttl: KNOWN_MS });
  const strangers = new LRUCache<string, Stranger>({ max: ADDRESSES_MAX, dispose: ({ queue }) => end(queue) });
  let waiting = 0;
  let looking: NodeJS.Timeout | undefined;

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

  /** Those that wait longest, as many as may begin. */
  function beginSome({ queue }: Stranger, count: number): void {
    for (const { begin } of queue.splice(0, count)) {
      waiting -= 1;
      begin();
    }
  }

  function look(): void {
    const now = performance.now();
    for (const stranger of strangers.values()) {
      if (stranger.queue.length === 0) continue;
      const count = Math.min(stranger.queue.length, Math.floor(refill(stranger, now).credit));
      stranger.credit -= count;
      beginSome(stranger, count);
    }
    if (waiting > 0) return;
    clearInterval(looking);
    looking = undefined;
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
      looking ??= setInterval(look, LOOK_MS).unref();
    },
    trust(address) {
      const network = networkOf(address);
      known.set(network, true);
      const stranger = strangers.peek(network);
      if (stranger !== undefined) beginSome(stranger, stranger.queue.length);
    },
    waiting: () => waiting,
    close() {
      clearInterval(looking);
      for (const { queue } of strangers.values()) end(queue);
    },
  };
}
