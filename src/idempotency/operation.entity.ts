import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** An operation id that has been used, with what was answered, so that a repetition has no second effect. */
export const operationTable = defineEntity({
  name: 'OperationEntity',
  tableName: 'operation',
  ...ownedByClient,
  indexes: [{ name: 'operation_created', properties: ['clientId', 'createdAt'] }],
  properties: {
    clientId: columns.clientId(),
    /** The operation id where this is its first use, and a longer text that holds it where it is not. */
    id: columns.byteExactText().primary(),
    /** SHA-256 of the request, by which another request under the same id is recognised. */
    fingerprint: p.blob(),
    /** The answer, encoded; null for one without a body. */
    response: p.blob().nullable(),
    /** The operation, for events with their code. Null: stored by v0.1.0, valid for every operation. */
    scope: columns.text().nullable(),
    /** The account that the answer is about; null where the answer itself says so, or names none. */
    accountId: columns.reference().nullable(),
    /** True once the account was erased and the answer with it. */
    erased: p.boolean().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class OperationEntity extends operationTable.class {}
operationTable.setClass(OperationEntity);
