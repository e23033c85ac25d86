import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The number of calls of an hour of UTC, by operation, credential and code. Every call counts, and each item of a batch instead of it. */
export const callCountTable = defineEntity({
  name: 'CallCountEntity',
  tableName: 'call_count',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    hour: columns.moment().primary(),
    /** As in the audit log: `TriggerService.EmitTrigger`. */
    operation: columns.byteExactText().primary(),
    credentialId: columns.reference().primary(),
    /** The code of the refusals; empty for calls that were not refused. */
    code: columns.byteExactText().primary(),
    calls: columns.count(),
  },
});

export class CallCountEntity extends callCountTable.class {}
callCountTable.setClass(CallCountEntity);
