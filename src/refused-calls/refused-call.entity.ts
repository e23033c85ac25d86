import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A refused or failed call, or an item of a batch; of many like ones only some are kept: docs/decisions/0124. */
export const refusedCallTable = defineEntity({
  name: 'RefusedCallEntity',
  tableName: 'refused_call',
  ...ownedByClient,
  indexes: [
    { name: 'refused_call_account', properties: ['clientId', 'accountId', 'id'] },
    { name: 'refused_call_operation', properties: ['clientId', 'operation', 'id'] },
    { name: 'refused_call_credential', properties: ['clientId', 'credentialId', 'id'] },
    { name: 'refused_call_code', properties: ['clientId', 'code', 'id'] },
  ],
  properties: {
    clientId: columns.clientId(),
    /** It begins with the time of the answer. */
    id: columns.id(),
    /** As in the audit log: `TriggerService.EmitTrigger`. */
    operation: columns.byteExactText(),
    credentialId: columns.reference(),
    /** Whether the call was made with an account token, which the credential had issued. */
    accountToken: p.boolean(),
    statusCode: p.integer(),
    code: columns.byteExactText(),
    /** Without texts of the call, except codes and UUIDs. */
    message: columns.text(),
    /** An account that exists; external ids are not stored. */
    accountId: columns.reference().nullable(),
    programmaticCode: columns.text().nullable(),
    resourceId: columns.reference().nullable(),
    operationId: columns.text().nullable(),
    /** The path of the first field with a fault. */
    field: columns.text().nullable(),
  },
});

export class RefusedCallEntity extends refusedCallTable.class {}
refusedCallTable.setClass(RefusedCallEntity);
