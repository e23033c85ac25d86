import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  WebhookDelivery_Outcome,
  WebhookDelivery_Retry,
  type WaitingWebhookSchema,
  type WebhookDeliverySchema,
  type WebhookRetriesSchema,
  WebhookType,
} from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { WebhookConfiguration_Method } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { RetrySummary } from '../retries/retry.queries.ts';
import type { DeliveryLogRow, Waiting } from './deliveries.queries.ts';

/** An attempt as the API shows it. */
export function toDeliveryMessage(delivery: DeliveryLogRow): MessageInitShape<typeof WebhookDeliverySchema> {
  const { type, method, outcome, statusCode, error, responseExcerpt, attemptedAt } = delivery;
  const { id, messageId, attempt, target, durationMs, retry, retryAt } = delivery;
  return {
    id,
    messageId,
    attempt,
    target,
    durationMs,
    type: WebhookType[type],
    method: WebhookConfiguration_Method[method],
    outcome: WebhookDelivery_Outcome[outcome],
    statusCode: statusCode ?? undefined,
    error: error ?? undefined,
    responseExcerpt: responseExcerpt ?? undefined,
    attemptedAt: timestampFromDate(attemptedAt),
    retry: retry === null ? undefined : WebhookDelivery_Retry[retry],
    retryAt: retryAt === null ? undefined : timestampFromDate(retryAt),
  };
}

/** A waiting message as the API shows it. */
export function toWaitingWebhookMessage(waiting: Waiting): MessageInitShape<typeof WaitingWebhookSchema> {
  const { id, attempts, sending, type, createdAt } = waiting;
  return {
    id,
    attempts,
    sending,
    ...nextAttempt(waiting),
    type: WebhookType[type],
    createdAt: timestampFromDate(createdAt),
  };
}

/** The API message about the waiting retries of one webhook. */
export function toWebhookRetriesMessage(summary: RetrySummary): MessageInitShape<typeof WebhookRetriesSchema> {
  return { type: WebhookType[summary.type], waiting: summary.waiting, ...nextAttempt(summary) };
}

function nextAttempt({ nextAttemptAt, lastOutcome, lastStatusCode, lastError }: Partial<Waiting>) {
  return {
    nextAttemptAt: nextAttemptAt ? timestampFromDate(nextAttemptAt) : undefined,
    lastOutcome: lastOutcome ? WebhookDelivery_Outcome[lastOutcome] : undefined,
    lastStatusCode: lastStatusCode ?? undefined,
    lastError: lastError ?? undefined,
  };
}
