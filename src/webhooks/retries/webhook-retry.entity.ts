import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';

/**
 * A webhook that failed and will be sent again. Beside the outbox and not in it: what a dead receiver leaves here makes no
 * claim of a fresh message slower.
 */
export const webhookRetryTable = defineEntity({
  name: 'WebhookRetryEntity',
  tableName: 'webhook_retry',
  ...ownedByClient,
  indexes: [{ name: 'webhook_retry_due', properties: ['clientId', 'configurationId', 'nextAttemptAt'] }],
  properties: {
    clientId: columns.clientId(),
    /** The message, as it was called in the outbox; receivers read it as `webhook-id`. */
    id: columns.id(),
    /** The configuration it was written for, which must still be there. */
    configurationId: columns.reference(),
    /** There is no check here: the outbox checks it. */
    type: columns.text().$type<WebhookType>(),
    /** As the outbox had it: each attempt sends the same bytes. */
    body: columns.text(),
    /** How often sending began, as the log numbers attempts. */
    attempts: p.integer(),
    /** How many retries have failed, which tells the next pause. */
    failedRetries: p.integer().default(0),
    /** By the database's clock. Nothing is planned for later than 24 hours after it. */
    firstAttemptAt: columns.moment(),
    nextAttemptAt: columns.moment(),
    /** Until then the row belongs to the process that is sending it; afterwards that process counts as dead. */
    leaseUntil: columns.moment().nullable(),
    lastOutcome: columns.oneOf(['REFUSED', 'TIMED_OUT', 'FAILED']),
    lastStatusCode: p.integer().nullable(),
    lastError: columns.text().nullable(),
    /** When its cause was stored. */
    createdAt: columns.createdAt(),
  },
});

export class WebhookRetryEntity extends webhookRetryTable.class {}
webhookRetryTable.setClass(WebhookRetryEntity);
