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
import { Change_Kind } from '../../../gen/laurel/v1/change_pb.ts';
import { type ChangeKind, kindOf } from '../changes/change-kind.ts';
import { isWebhookType, type WebhookType as WebhookTypeName } from '../configuration/webhook-type.ts';
import type { RetrySummary } from '../retries/retry.queries.ts';
import type { DeliveryLogRow, Waiting } from './deliveries.queries.ts';

/** An attempt as the API shows it. */
export function toDeliveryMessage(delivery: DeliveryLogRow): MessageInitShape<typeof WebhookDeliverySchema> {
  const { method, outcome, statusCode, error, responseExcerpt, attemptedAt } = delivery;
  const { id, messageId, attempt, target, durationMs, retry, retryAt } = delivery;
  return {
    id,
    messageId,
    attempt,
    target,
    durationMs,
    ...announced(delivery),
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
  const { id, attempts, sending, createdAt } = waiting;
  return {
    id,
    attempts,
    sending,
    ...nextAttempt(waiting),
    ...announced(waiting),
    createdAt: timestampFromDate(createdAt),
  };
}

/** The API message about the waiting retries of one webhook or endpoint. */
export function toWebhookRetriesMessage(summary: RetrySummary): MessageInitShape<typeof WebhookRetriesSchema> {
  const { key, endpointId, waiting } = summary;
  const receiver = endpointId === null ? { type: WebhookType[key as WebhookTypeName] } : { endpointId };
  return { ...receiver, waiting, ...nextAttempt(summary) };
}

/** The kind of the announced change, with the type of its webhook or with its endpoint. */
function announced({ type, endpointId }: Pick<DeliveryLogRow, 'type' | 'endpointId'>) {
  const kind = Change_Kind[type as ChangeKind];
  if (endpointId !== null) return { kind, endpointId };
  // The message of an endpoint that was deleted before it was committed.
  if (!isWebhookType(type)) return { kind };
  return { kind: Change_Kind[kindOf(type)], type: WebhookType[type] };
}

function nextAttempt({ nextAttemptAt, lastOutcome, lastStatusCode, lastError }: Partial<Waiting>) {
  return {
    nextAttemptAt: nextAttemptAt ? timestampFromDate(nextAttemptAt) : undefined,
    lastOutcome: lastOutcome ? WebhookDelivery_Outcome[lastOutcome] : undefined,
    lastStatusCode: lastStatusCode ?? undefined,
    lastError: lastError ?? undefined,
  };
}
