import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/**
 * The changes of one transaction of a client with a feed: docs/decisions/0128.
 */
export const changeBatchTable = defineEntity({
  name: 'ChangeBatchEntity',
  tableName: 'change_batch',
  ...ownedByClient,
  indexes: [{ name: 'change_batch_waiting', properties: ['clientId', 'position'], where: 'number is null' }],
  // The second guard against two workers; the first is the lock of the feed.
  uniques: [{ name: 'change_batch_number', properties: ['clientId', 'number'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** Taken under all locks of the transaction: transactions of one account have their positions in their order. */
    position: columns.count().generated('by default as identity'),
    /** The number of its last line; null until the worker has given it. */
    number: columns.count().nullable(),
    /** The number of its lines. */
    changes: p.integer(),
    /**
     * A line for each change: its kind, a space, and the JSON of its message. An erasure empties lines. A line PROGRESS with ids of batches of
     * the journal is none, but has a number as well: the place of that progress in streams of accounts.
     */
    body: columns.text(),
    createdAt: columns.createdAt(),
  },
});

export class ChangeBatchEntity extends changeBatchTable.class {}
changeBatchTable.setClass(ChangeBatchEntity);
