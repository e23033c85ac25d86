import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * An accepted event that has had no effect yet. The transaction that applies it deletes the row, so the table contains only waiting events
 * and dead triggers, which stay until an operator decides.
 */
export const triggerInboxTable = defineEntity({
  name: 'TriggerInboxEntity',
  tableName: 'trigger_inbox',
  ...ownedByClient,
  indexes: [
    { name: 'trigger_inbox_waiting', properties: ['clientId', 'id'], where: 'dead_at is null' },
    { name: 'trigger_inbox_alone', properties: ['clientId', 'id'], where: 'alone is not null and dead_at is null' },
    { name: 'trigger_inbox_dead', properties: ['clientId', 'deadAt', 'id'], where: 'dead_at is not null' },
  ],
  uniques: [
    {
      name: 'trigger_inbox_operation_unique',
      properties: ['clientId', 'operationId'],
      where: 'operation_id is not null',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    /** Ids sort in the order of acceptance. */
    id: columns.id(),
    programmaticCode: columns.text(),
    /** The id from the request: an external id, whose account need not exist, or an internal one. */
    accountId: columns.byteExactText(),
    idType: columns.oneOf(['EXTERNAL', 'INTERNAL']),
    metadata: p.json<JsonObject>().nullable(),
    operationId: columns.byteExactText().nullable(),
    /** Set at acceptance, so that a wait moves no event into another period. */
    occurredAt: columns.moment(),
    acceptedAt: columns.moment(),
    /** Failures, and attempts during which the process died. */
    attempts: p.integer().default(0),
    /** The earliest time of the next attempt; null means now. */
    notBefore: columns.moment().nullable(),
    /**
     * Null for an event that is applied in a batch. WAITING: the process of its batch died, and the event must be applied alone. TRIED: an
     * attempt to apply it alone was counted; unless that is running, the process died during it.
     */
    alone: columns.oneOf(['WAITING', 'TRIED']).nullable(),
    /** The code of the last failure. */
    errorCode: columns.text().nullable(),
    errorMessage: columns.text().nullable(),
    /** The time at which the event became a dead trigger. */
    deadAt: columns.moment().nullable(),
  },
});

export class TriggerInboxEntity extends triggerInboxTable.class {}
triggerInboxTable.setClass(TriggerInboxEntity);
