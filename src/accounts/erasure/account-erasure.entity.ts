import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The erasure of an account, active until every part has been swept twice. */
export const erasureTable = defineEntity({
  name: 'AccountErasureEntity',
  tableName: 'account_erasure',
  ...ownedByClient,
  indexes: [{ name: 'account_erasure_open', properties: ['clientId', 'dueAt'], where: 'finished_at is null' }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    /** The time of the last erasure; a repeated erasure begins again. */
    erasedAt: columns.moment(),
    /** The number of the sweep, from 1. */
    pass: p.integer().default(1),
    /** The position of the pass: the part and the place in it; null at the beginning. */
    partName: columns.text().nullable(),
    place: columns.text().nullable(),
    /** The earliest time at which it continues. */
    dueAt: columns.moment(),
    /** Null while the erasure is active. */
    finishedAt: columns.moment().nullable(),
  },
});

export class AccountErasureEntity extends erasureTable.class {}
erasureTable.setClass(AccountErasureEntity);
