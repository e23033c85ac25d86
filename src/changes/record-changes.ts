import type { Database, UnitOfWork } from '../persistence/database.ts';
import { clientsWithFeed, isFeedOn } from './change-feed.queries.ts';
import { insertBatch } from './change-batch.queries.ts';
import { collectChanges, collectedIn, type FedChange, hasSwitchedFeed } from './collect-changes.ts';
import { createFeedWatch, NOTHING, type Wanted } from './feed-watch.ts';

/** The endpoints that receive kinds which nothing but `addToFeed` announces. */
export type CollectedForEndpoints = {
  /** The ids of all clients with such an endpoint, in a system unit of work. */
  clients(uow: UnitOfWork): Promise<string[]>;
  /** Announces those of the changes that are of such a kind. */
  announce(uow: UnitOfWork, changes: readonly FedChange[]): Promise<void>;
};

/** The databases whose changes are recorded: a second recording would write them twice. */
const recorded = new WeakSet<Database>();

/**
 * Writes the changes of every unit of work of `db` into the feed of its client, in the same transaction. It decides at the begin whether to
 * collect them; if it does not know then, it asks before the commit. A repeat has no effect.
 */
export function recordChanges(db: Database, endpoints: CollectedForEndpoints): void {
  if (recorded.has(db)) return;
  recorded.add(db);
  const watch = createFeedWatch(db, { feeds: clientsWithFeed, endpoints: endpoints.clients });
  const wanted = new WeakMap<UnitOfWork, Wanted | undefined>();

  db.onBegun((uow) => {
    const known = watch.of(uow.clientId);
    if (known === NOTHING) return;
    collectChanges(uow);
    wanted.set(uow, known);
  });
  db.onCommitting((uow) => {
    if (collectedIn(uow) === undefined) return undefined;
    return write(uow);
  });

  db.onCommitted((uow) => {
    if (hasSwitchedFeed(uow)) watch.forget();
  });

  async function write(uow: UnitOfWork): Promise<void> {
    const { feed = await isFeedOn(uow), endpoints: isAnnounced = true } = wanted.get(uow) ?? {};
    const { changes, journalBatchIds } = collectedIn(uow)!;
    if (isAnnounced) await endpoints.announce(uow, changes);
    if (feed) await insertBatch(uow, changes, journalBatchIds);
  }
}
