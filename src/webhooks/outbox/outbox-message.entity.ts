import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import type { MessageType } from '../configuration/webhook-target.ts';

/**
 * A webhook that has no outcome yet, written in the transaction of its cause. The row is deleted when its outcome enters the delivery log.
 * So the table holds only the remaining work.
 */
export const outboxMessageTable = defineEntity({
  name: 'OutboxMessageEntity',
  tableName: 'outbox_message',
  ...ownedByClient,
  // The messages of a receiver, oldest first: a receiver that is down does not delay the claims of others.
  indexes: [{ name: 'outbox_message_receiver', properties: ['clientId', 'configurationId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The configuration or endpoint of the message. A later configuration of the same type never sends it. */
    configurationId: columns.reference(),
    /** Without a CHECK constraint: a new kind of change needs no migration. */
    type: columns.text().$type<MessageType>(),
    /** Text and not `jsonb`: a redelivery sends the same bytes. */
    body: columns.text(),
    /** The earliest time of sending, except for the process that has answered the causing call. */
    notBefore: columns.moment(),
    /** The end of the lease of the sending process, which counts as dead afterwards. */
    leaseUntil: columns.moment().nullable(),
    /** The number of started attempts; above 1 only after a sender's death. */
    attempts: p.integer().default(0),
    /** The sampled span of its cause, as a header `traceparent`; null without a trace. */
    traceparent: columns.text().nullable(),
    createdAt: columns.createdAt(),
  },
});

export class OutboxMessageEntity extends outboxMessageTable.class {}
outboxMessageTable.setClass(OutboxMessageEntity);
