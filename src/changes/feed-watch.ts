import type { Database, UnitOfWork } from '../persistence/database.ts';

/** Milliseconds after which the state is read again; the unit of work that notices it does not wait. */
const RENEWED_AFTER = 1_000;

/** Milliseconds after which the state is not trusted. With the time of a read it is less than the five seconds of the contract. */
const TRUSTED_FOR = 4_000;

/** The receivers of a client's changes. */
export type Wanted = {
  /** They are added to its feed. */
  readonly feed: boolean;
  /** They are announced to endpoints. */
  readonly endpoints: boolean;
};

/** Nothing: the changes of most clients. */
export const NOTHING: Wanted = { feed: false, endpoints: false };

/** Knows whose changes are wanted. A process reads them together, at most once a second and only while units of work begin. */
export type FeedWatch = {
  /** The receivers of a client's changes: {@link NOTHING} itself if there are none; undefined if it is not known for sure. */
  of(clientId: string): Wanted | undefined;
  /** Forgets the state, because this process has changed it. */
  forget(): void;
};

/** The ids of clients, read in a system unit of work. */
type ReadClients = (uow: UnitOfWork) => Promise<readonly string[]>;

/** The watch of a process. */
export function createFeedWatch(
  db: Pick<Database, 'systemUnitOfWork'>,
  read: { readonly feeds: ReadClients; readonly endpoints: ReadClients },
): FeedWatch {
  let clients: ReadonlyMap<string, Wanted> = new Map();
  /** By `performance.now()`, before the read. */
  let readAt = -Infinity;
  let reading = false;
  /** Counts the calls of `forget`: a read that began before one is not used. */
  let forgotten = 0;

  async function renew(): Promise<void> {
    reading = true;
    const begun = performance.now();
    const known = forgotten;
    try {
      const [feeds, endpoints] = await db.systemUnitOfWork((uow) =>
        Promise.all([read.feeds(uow), read.endpoints(uow)]),
      );
      if (known !== forgotten) return;
      const withFeed = new Set(feeds);
      const withEndpoint = new Set(endpoints);
      clients = new Map(
        [...withFeed.union(withEndpoint)].map((id) => [
          id,
          { feed: withFeed.has(id), endpoints: withEndpoint.has(id) },
        ]),
      );
      readAt = begun;
    } catch {
      // A failure shows when the state is too old: then each transaction asks.
    } finally {
      reading = false;
    }
  }

  return {
    of(clientId) {
      const age = performance.now() - readAt;
      if (age > RENEWED_AFTER && !reading) void renew();
      return age > TRUSTED_FOR ? undefined : (clients.get(clientId) ?? NOTHING);
    },
    forget() {
      forgotten += 1;
      readAt = -Infinity;
    },
  };
}
