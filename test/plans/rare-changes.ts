import { changeParts } from '../../src/changes/account-parts.ts';
import {
  clientsToNumber,
  deleteBatches,
  insertBatch,
  numberBatches,
  selectBatches,
  selectOldest,
  selectUnnumbered,
} from '../../src/changes/change-batch.queries.ts';
import {
  clientsWithFeed,
  endsOfFeeds,
  lockFeed,
  saveFeed,
  selectFeed,
  setDeletedUpTo,
  setNumber,
  tryToLockFeed,
} from '../../src/changes/change-feed.queries.ts';
import { clientsWithChanges } from '../../src/changes/delete-old-changes.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { clientsWithCollectedKinds } from '../../src/webhooks/outbox/enqueue.queries.ts';

/** Sends the statements of the feed of changes, for a client that has switched it on. */
export async function sendChanges(db: Database, clientId: string): Promise<void> {
  const account = { accountId: newId(), externalId: undefined };
  const now = new Date();
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => saveFeed(uow, { keepDays: 30, number: 0, deletedUpTo: 0, onSince: now }),
    (uow) => insertBatch(uow, [{ kind: 'STOCK_LOW', json: '{}' }]),
    selectFeed,
    lockFeed,
    tryToLockFeed,
    async (uow) => {
      const waiting = await selectUnnumbered(uow, 10);
      await numberBatches(
        uow,
        waiting.map(({ id }, index) => ({ id, number: index + 1 })),
      );
    },
    (uow) => setNumber(uow, 1),
    (uow) => selectBatches(uow, 1, 50),
    (uow) => selectOldest(uow, now, 10),
    ...changeParts.map((part) => (uow: UnitOfWork) => part.page(uow, account, undefined)),
    ...changeParts.map(
      ({ erasure }) =>
        async (uow: UnitOfWork) =>
          erasure.kind === 'swept' && erasure.sweep(uow, account.accountId, undefined),
    ),
    (uow) => deleteBatches(uow, [newId()]),
    (uow) => setDeletedUpTo(uow, 0),
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
  await db.systemUnitOfWork((uow) => endsOfFeeds(uow, [clientId]));
  for (const read of [clientsToNumber, clientsWithFeed, clientsWithChanges, clientsWithCollectedKinds])
    await db.systemUnitOfWork(read);
}
