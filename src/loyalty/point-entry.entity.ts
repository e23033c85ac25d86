import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** Points with one expiry, an ISO 8601 text; null means never. The amount is decimal text. */
export type StoredPart = { readonly amount: string; readonly expiresAt: string | null };

/** One movement of points; never changed and never deleted. */
export const pointEntryTable = defineEntity({
  name: 'PointEntryEntity',
  tableName: 'point_entry',
  ...ownedByClient,
  // One entry per account and microsecond: `before` can be the last entry of a page and skips no others.
  uniques: [{ name: 'point_entry_account', properties: ['clientId', 'accountId', 'createdAt'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    type: columns.oneOf(['EARN', 'SPEND', 'EXPIRE', 'REFUND', 'ADJUST', 'REVERSE', 'MERGE']),
    /** Signed; SPEND, EXPIRE and REVERSE have negative amounts. */
    amount: columns.amount(),
    balanceAfter: columns.amount(),
    /** The cause, for example a reward and its id. */
    sourceType: columns.text().nullable(),
    sourceId: columns.text().nullable(),
    operationId: columns.byteExactText().nullable(),
    reason: columns.text().nullable(),
    /** True for an ADJUST that counts as earned. */
    earned: p.boolean().nullable(),
    /** The lots that a SPEND took, by expiry; null if none of them expires, and in entries of version 0.1.0. */
    drawn: p.json<StoredPart[]>().nullable(),
    createdAt: p.datetime(6),
  },
});

export class PointEntryEntity extends pointEntryTable.class {}
pointEntryTable.setClass(PointEntryEntity);
