import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A used operation id with its answer, so that a repetition has no second effect. */
export const operationTable = defineEntity({
  name: 'OperationEntity',
  tableName: 'operation',
  ...ownedByClient,
  indexes: [{ name: 'operation_created', properties: ['clientId', 'createdAt'] }],
  properties: {
    clientId: columns.clientId(),
    /** The operation id for its first use; a longer text that contains it for further uses. */
    id: columns.byteExactText().primary(),
    /** SHA-256 of the request; a different request under the same id is detected by it. */
    fingerprint: p.blob(),
    /** The encoded answer; null for an answer without a body. */
    response: p.blob().nullable(),
    /** The operation; for events with their code. Null: stored by v0.1.0, valid for every operation. */
    scope: columns.text().nullable(),
    /** The account of the answer; null if the answer contains its id or concerns no account. */
    accountId: columns.reference().nullable(),
    /** True after the erasure of the account and the answer. */
    erased: p.boolean().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class OperationEntity extends operationTable.class {}
operationTable.setClass(OperationEntity);
