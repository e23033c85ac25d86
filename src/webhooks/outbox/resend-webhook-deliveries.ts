import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type ResendWebhookDeliveriesRequest,
  type ResendWebhookDeliveriesResponse,
  ResendWebhookDeliveriesResponseSchema,
  WebhookAdminService,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import {
  WaitingWebhookSchema,
  WebhookDelivery_Outcome as Outcome,
} from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { checkedText } from '../../kernel/text.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockReceiver, notConfigured, receiverKey } from '../configuration/receiver.ts';
import { endpointNotFound } from '../endpoints/require-endpoint.ts';
import type { EnqueuedMessage } from './enqueue.queries.ts';
import { requeueFailed } from './resend.queries.ts';

/** The default maximum of messages of one call. */
const LIMIT = 100;

const FAILURES = ['REFUSED', 'TIMED_OUT', 'FAILED'] as const;

/**
 * Sends the failed messages of a period again: proto WebhookAdminService.ResendWebhookDeliveries.
 * @returns the response, and the messages
 */
export async function resendWebhookDeliveries(
  call: Call,
  request: ResendWebhookDeliveriesRequest,
): Promise<{ readonly response: ResendWebhookDeliveriesResponse; readonly messages: readonly EnqueuedMessage[] }> {
  const { operationId, limit = LIMIT } = request;
  const receiver = receiverKey(request);
  const since = timestampDate(request.since!);
  const until = timestampDate(request.until!);
  if (until <= since) throw badRequest('`until` must be later than `since`.');
  const reason = checkedText(request.reason, '`reason`');
  const asked = FAILURES.filter((name) => request.outcomes.includes(Outcome[name]));
  const outcomes = asked.length === 0 ? [...FAILURES] : asked;
  const period = `${since.toISOString()} to ${until.toISOString()}`;
  const content = ['ResendWebhookDeliveries', receiver, outcomes.join(' '), period, `${limit}`, reason] as const;
  let messages: readonly EnqueuedMessage[] = [];
  const response = await idempotentCall(call, { operationId, content }, ResendWebhookDeliveriesResponseSchema, resend);
  return { response, messages };

  async function resend(uow: UnitOfWork): Promise<MessageInitShape<typeof ResendWebhookDeliveriesResponseSchema>> {
    if ((await lockReceiver(uow, receiver)) === undefined)
      throw request.endpointId === undefined ? notConfigured(receiver) : endpointNotFound(request.endpointId);
    const sent = await requeueFailed(uow, { receiver, outcomes, from: firstIdAt(since), to: firstIdAt(until), limit });
    messages = sent.messages;
    const note = `${messages.length} sent again of what was ${outcomes.join(', ')} from ${period}: ${reason}`;
    await recordChange(uow, call.principal, {
      operation: WebhookAdminService.method.resendWebhookDeliveries,
      schema: WaitingWebhookSchema,
      id: receiver,
      note,
      after: { type: request.type || undefined, endpointId: request.endpointId },
    });
    return { resent: messages.length, more: sent.more };
  }
}
