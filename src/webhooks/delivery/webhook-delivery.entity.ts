import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { WEBHOOK_TYPES } from '../configuration/webhook-type.ts';

/** The log of attempts to send a webhook. It holds neither a secret nor the full address, which may contain one. */
export const webhookDeliveryTable = defineEntity({
  name: 'WebhookDeliveryEntity',
  tableName: 'webhook_delivery',
  ...ownedByClient,
  indexes: [{ name: 'webhook_delivery_message', properties: ['clientId', 'messageId'] }],
  properties: {
    clientId: columns.clientId(),
    /** A UUIDv7 of the moment the attempt began: the log is read and cleared along the key. */
    id: columns.id(),
    /** The outbox row, which is gone; several attempts share it where a sender died, it was retried, or somebody sent it again by hand. */
    messageId: columns.reference(),
    type: columns.oneOf(WEBHOOK_TYPES),
    /** 1 unless an earlier attempt died without an outcome or was retried, or somebody sent it again by hand. */
    attempt: p.integer(),
    method: columns.oneOf(['POST', 'PUT', 'PATCH', 'DELETE']),
    /** Scheme, host and port of the endpoint. */
    target: columns.text(),
    /** The sent body, for sending it again by hand; null if another sender's outcome came first. */
    body: columns.text().nullable(),
    attemptedAt: columns.moment(),
    durationMs: p.integer(),
    /** DELIVERED is a 2xx answer, REFUSED any other, TIMED_OUT none within 5 seconds, FAILED no connection, or one that broke. */
    outcome: columns.oneOf(['DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED']),
    /** Null where no answer came. */
    statusCode: p.integer().nullable(),
    error: columns.text().nullable(),
    /** The first bytes of the answer. */
    responseExcerpt: columns.text().nullable(),
    /** The consequence of a failed attempt of a webhook with retries: `retry-schedule.ts`. */
    retry: columns.oneOf(['SCHEDULED', 'GONE', 'EXHAUSTED', 'BACKLOG_FULL', 'ENDED']).nullable(),
    /** When it was to be sent again; with SCHEDULED. */
    retryAt: columns.moment().nullable(),
  },
});

export class WebhookDeliveryEntity extends webhookDeliveryTable.class {}
webhookDeliveryTable.setClass(WebhookDeliveryEntity);
