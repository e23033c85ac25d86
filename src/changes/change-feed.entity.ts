import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The feed of a client. Its row is locked to number changes, to delete them, and to erase an account from them. */
export const changeFeedTable = defineEntity({
  name: 'ChangeFeedEntity',
  tableName: 'change_feed',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** 0: the feed is off. */
    keepDays: p.integer(),
    /** The number of the last numbered change. */
    number: columns.count().default(0),
    /** Changes up to this number are deleted, or were never kept. */
    deletedUpTo: columns.count().default(0),
    onSince: columns.moment().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class ChangeFeedEntity extends changeFeedTable.class {}
changeFeedTable.setClass(ChangeFeedEntity);
