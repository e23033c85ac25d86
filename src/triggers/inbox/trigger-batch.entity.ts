import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * A batch of asynchronous events that a process is about to apply or applies. It is committed before the batch begins, held
 * locked while it is applied, and gone once it is: what is left unlocked belonged to a process that died. See
 * docs/decisions/0015.
 */
export const triggerBatchTable = defineEntity({
  name: 'TriggerBatchEntity',
  tableName: 'trigger_batch',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The events are those of the inbox from here ... */
    firstId: p.uuid(),
    /** ... to here, both included, that were due at `markedAt`. */
    lastId: p.uuid(),
    markedAt: columns.moment(),
  },
});

export class TriggerBatchEntity extends triggerBatchTable.class {}
triggerBatchTable.setClass(TriggerBatchEntity);
