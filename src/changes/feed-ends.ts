import type { Database } from '../persistence/database.ts';
import { endsOfFeeds } from './change-feed.queries.ts';

/** Milliseconds between two reads, while somebody waits. */
const READ_MS = 100;

/** The ends of feeds, for their followers. One read of a process serves all of them; without followers there is none. */
export type FeedEnds = {
  /**
   * Resolves when the feed of a client is beyond `number`, or after `withinMs`, or when `gone` is aborted.
   * @returns whether to read on; false at the end of the process, and when `gone` is aborted
   */
  beyond(
    clientId: string,
    number: number,
    how: { readonly withinMs: number; readonly gone: AbortSignal },
  ): Promise<boolean>;
  /** Reports changes that this process has numbered: their followers need not wait for the next read. */
  numbered(): void;
  /** Ends all waits. */
  close(): void;
};

type Waiter = { readonly number: number; readonly wake: () => void };

/** The ends of feeds for the followers of a process. */
export function createFeedEnds(db: Pick<Database, 'systemUnitOfWork'>): FeedEnds {
  const waiters = new Map<string, Set<Waiter>>();
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let readAgain = false;
  let closed = false;

  async function read(): Promise<void> {
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    readAgain = false;
    clearTimeout(timer);
    try {
      const ends = await db.systemUnitOfWork((uow) => endsOfFeeds(uow, [...waiters.keys()]));
      for (const [clientId, number] of ends)
        for (const waiter of waiters.get(clientId) ?? []) if (number > waiter.number) waiter.wake();
    } catch {
      // The followers read on after their time, and get the failure then.
    } finally {
      reading = false;
    }
    if (waiters.size === 0) return;
    if (readAgain) void read();
    else timer = setTimeout(() => void read(), READ_MS).unref();
  }

  function leave(clientId: string, waiter: Waiter): void {
    const own = waiters.get(clientId);
    own?.delete(waiter);
    if (own?.size === 0) waiters.delete(clientId);
  }

  return {
    async beyond(clientId, number, { withinMs, gone }) {
      if (closed || gone.aborted) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const waiter: Waiter = { number, wake };
      const own = waiters.get(clientId) ?? new Set();
      waiters.set(clientId, own.add(waiter));
      if (waiters.size === 1 && own.size === 1) void read();
      const end = setTimeout(wake, withinMs).unref();
      gone.addEventListener('abort', wake, { once: true });
      await promise;
      clearTimeout(end);
      gone.removeEventListener('abort', wake);
      leave(clientId, waiter);
      return !closed && !gone.aborted;
    },
    numbered() {
      if (waiters.size > 0) void read();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const own of waiters.values()) for (const { wake } of own) wake();
    },
  };
}
