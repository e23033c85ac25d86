import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  WebhookDelivery_Outcome,
  type WaitingWebhookSchema,
  type WebhookDeliverySchema,
  WebhookType,
} from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { WebhookConfiguration_Method } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Delivery, Waiting } from './deliveries.queries.ts';

/** An attempt to send as the API shows it. */
export function toDeliveryMessage(delivery: Delivery): MessageInitShape<typeof WebhookDeliverySchema> {
  const { type, method, outcome, statusCode, error, responseExcerpt, attemptedAt } = delivery;
  const { id, messageId, attempt, target, durationMs } = delivery;
  return {
    ...{ id, messageId, attempt, target, durationMs },
    type: WebhookType[type],
    method: WebhookConfiguration_Method[method],
    outcome: WebhookDelivery_Outcome[outcome],
    statusCode: statusCode ?? undefined,
    error: error ?? undefined,
    responseExcerpt: responseExcerpt ?? undefined,
    attemptedAt: timestampFromDate(attemptedAt),
  };
}

/** A message that waits to be sent as the API shows it. */
export function toWaitingWebhookMessage({
  type,
  createdAt,
  ...rest
}: Waiting): MessageInitShape<typeof WaitingWebhookSchema> {
  return { ...rest, type: WebhookType[type], createdAt: timestampFromDate(createdAt) };
}
