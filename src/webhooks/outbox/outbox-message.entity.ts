import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { WEBHOOK_TYPES } from '../configuration/webhook-type.ts';

/**
 * A webhook that has no outcome yet, written in the transaction of its cause. The row goes when its outcome enters the
 * delivery log, so that the table is as small as the work that is left, and claiming needs no index but the key.
 */
export const outboxMessageTable = defineEntity({
  name: 'OutboxMessageEntity',
  tableName: 'outbox_message',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The configuration it was written for: none other sends it, not even one of the same type stored later. */
    configurationId: columns.reference(),
    type: columns.oneOf(WEBHOOK_TYPES),
    /** Text and not `jsonb`: a redelivery sends the same bytes. */
    body: columns.text(),
    /** The earliest time of sending, except for the process that has answered the causing call. */
    notBefore: columns.moment(),
    /** Until then the row belongs to the process that is sending it; afterwards that process counts as dead. */
    leaseUntil: columns.moment().nullable(),
    /** How often sending began; above 1 only where a sender died. */
    attempts: p.integer().default(0),
    /** The sampled span in which it was written, as a header `traceparent`; null where nobody traces. */
    traceparent: columns.text().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class OutboxMessageEntity extends outboxMessageTable.class {}
outboxMessageTable.setClass(OutboxMessageEntity);
