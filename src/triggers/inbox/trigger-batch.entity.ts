import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * A batch of asynchronous events that a process applies or is about to apply. The row is committed before the batch begins, locked while it
 * is applied, and then deleted: an unlocked row belongs to a dead process. See docs/decisions/0015.
 */
export const triggerBatchTable = defineEntity({
  name: 'TriggerBatchEntity',
  tableName: 'trigger_batch',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The id of the first event. */
    firstId: p.uuid(),
    /** The id of the last event. The batch includes the events of the range that were due at `markedAt`. */
    lastId: p.uuid(),
    markedAt: columns.moment(),
  },
});

export class TriggerBatchEntity extends triggerBatchTable.class {}
triggerBatchTable.setClass(TriggerBatchEntity);
