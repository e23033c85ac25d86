import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import type { MessageType } from '../configuration/webhook-target.ts';

/**
 * A failed webhook that waits for a retry. The table is separate from the outbox, so that the backlog of a dead receiver does not slow the
 * claims of new messages.
 */
export const webhookRetryTable = defineEntity({
  name: 'WebhookRetryEntity',
  tableName: 'webhook_retry',
  ...ownedByClient,
  indexes: [{ name: 'webhook_retry_due', properties: ['clientId', 'configurationId', 'nextAttemptAt'] }],
  properties: {
    clientId: columns.clientId(),
    /** The id of the message in the outbox; receivers get it as `webhook-id`. */
    id: columns.id(),
    /** The configuration or endpoint of the message, which must still exist. */
    configurationId: columns.reference(),
    type: columns.text().$type<MessageType>(),
    /** The body from the outbox: each attempt sends the same bytes. */
    body: columns.text(),
    /** The number of started attempts, like in the log. */
    attempts: p.integer(),
    /** The number of failed retries, which determines the next pause. */
    failedRetries: p.integer().default(0),
    /** The time of the first attempt by the database's clock. The last retry is at most 24 hours later. */
    firstAttemptAt: columns.moment(),
    nextAttemptAt: columns.moment(),
    /** The end of the lease of the sending process, which counts as dead afterwards. */
    leaseUntil: columns.moment().nullable(),
    lastOutcome: columns.oneOf(['REFUSED', 'TIMED_OUT', 'FAILED']),
    lastStatusCode: p.integer().nullable(),
    lastError: columns.text().nullable(),
    /** The time at which its cause was stored. */
    createdAt: columns.createdAt(),
  },
});

export class WebhookRetryEntity extends webhookRetryTable.class {}
webhookRetryTable.setClass(WebhookRetryEntity);
