import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import type { MessageType } from '../configuration/webhook-target.ts';

/** The log of attempts to send a webhook. It holds neither a secret nor the full address, which may contain one. */
export const webhookDeliveryTable = defineEntity({
  name: 'WebhookDeliveryEntity',
  tableName: 'webhook_delivery',
  ...ownedByClient,
  indexes: [{ name: 'webhook_delivery_message', properties: ['clientId', 'messageId'] }],
  properties: {
    clientId: columns.clientId(),
    /** A UUIDv7 of the start of the attempt: the log is read and cleared along the key. */
    id: columns.id(),
    /** The id of the former outbox row. Attempts share it after a sender's death, after retries, and after redeliveries by an operator. */
    messageId: columns.reference(),
    /** Without a CHECK constraint: a new kind of change needs no migration. */
    type: columns.text().$type<MessageType>(),
    /** The endpoint, which may have been deleted since; null for a webhook of a type. */
    endpointId: columns.reference().nullable(),
    /** The number of the attempt. It exceeds 1 after a sender's death, after retries, and after redeliveries by an operator. */
    attempt: p.integer(),
    method: columns.oneOf(['POST', 'PUT', 'PATCH', 'DELETE']),
    /** Scheme, host and port of the endpoint. */
    target: columns.text(),
    /** The sent body, for a redelivery by an operator; null if another sender's outcome came first. */
    body: columns.text().nullable(),
    attemptedAt: columns.moment(),
    durationMs: p.integer(),
    /** DELIVERED is a 2xx answer, REFUSED any other, TIMED_OUT none within 5 seconds, FAILED no connection, or one that broke. */
    outcome: columns.oneOf(['DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED']),
    /** The status of the answer; null without an answer. */
    statusCode: p.integer().nullable(),
    error: columns.text().nullable(),
    /** The first bytes of the answer. */
    responseExcerpt: columns.text().nullable(),
    /** The consequence of a failed attempt of a webhook with retries: `retry-schedule.ts`. */
    retry: columns.oneOf(['SCHEDULED', 'GONE', 'EXHAUSTED', 'BACKLOG_FULL', 'ENDED']).nullable(),
    /** The planned time of the retry; only with SCHEDULED. */
    retryAt: columns.moment().nullable(),
  },
});

export class WebhookDeliveryEntity extends webhookDeliveryTable.class {}
webhookDeliveryTable.setClass(WebhookDeliveryEntity);
