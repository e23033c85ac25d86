import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** One movement of points; never changed and never deleted. */
export const pointEntryTable = defineEntity({
  name: 'PointEntryEntity',
  tableName: 'point_entry',
  ...ownedByClient,
  // One entry per account and microsecond: `before` may name the last line a caller has and never skips another.
  uniques: [{ name: 'point_entry_account', properties: ['clientId', 'accountId', 'createdAt'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    type: columns.oneOf(['EARN', 'SPEND', 'EXPIRE', 'REFUND', 'ADJUST']),
    /** Signed: what SPEND and EXPIRE take away is negative. */
    amount: columns.amount(),
    balanceAfter: columns.amount(),
    /** What caused it, for example a reward and its id. */
    sourceType: columns.text().nullable(),
    sourceId: columns.text().nullable(),
    operationId: columns.byteExactText().nullable(),
    reason: columns.text().nullable(),
    createdAt: p.datetime(6),
  },
});

export class PointEntryEntity extends pointEntryTable.class {}
pointEntryTable.setClass(PointEntryEntity);
