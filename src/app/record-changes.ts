import { recordChanges } from '../changes/record-changes.ts';
import type { Database } from '../persistence/database.ts';
import { enqueueCollected } from '../webhooks/outbox/enqueue-webhooks.ts';
import { clientsWithCollectedKinds } from '../webhooks/outbox/enqueue.queries.ts';

/** Lets every unit of work of `db` add its changes to the feed of its client. Each opened database that can change accounts needs it. */
export function feedChanges(db: Database): void {
  recordChanges(db, { clients: clientsWithCollectedKinds, announce: enqueueCollected });
}
