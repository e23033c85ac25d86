import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A merge of two accounts, with what an undo needs. */
export const accountMergeTable = defineEntity({
  name: 'AccountMergeEntity',
  tableName: 'account_merge',
  ...ownedByClient,
  indexes: [
    { name: 'account_merge_into', properties: ['clientId', 'intoAccountId', 'id'] },
    { name: 'account_merge_account', properties: ['clientId', 'accountId', 'id'] },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The account that was merged, and its external id then. */
    accountId: columns.reference(),
    externalId: columns.byteExactText().nullable(),
    intoAccountId: columns.reference(),
    progress: columns.oneOf(['MAX', 'SUM']),
    operationId: columns.byteExactText().nullable(),
    mergedAt: columns.moment(),
    undoneAt: columns.moment().nullable(),
    /** Whether the merge paid rewards or combined pieces: then it is not undone. */
    hasPaid: p.boolean(),
    /** The data that an undo gives back, by the names of parts; null once it cannot be undone. */
    kept: p.json<JsonObject>().nullable(),
  },
});

export class AccountMergeEntity extends accountMergeTable.class {}
accountMergeTable.setClass(AccountMergeEntity);
