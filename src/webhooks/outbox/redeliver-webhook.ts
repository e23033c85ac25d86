import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type RedeliverWebhookRequest,
  type RedeliverWebhookResponseSchema,
  WebhookAdminService,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { WaitingWebhookSchema } from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { requeue, requireDelivery } from '../delivery/deliveries.queries.ts';
import { toWaitingWebhookMessage } from '../delivery/delivery-message.ts';
import type { EnqueuedMessage } from './enqueue.queries.ts';

/** The response, and the waiting message with its receiver. */
type Redelivery = {
  readonly response: MessageInitShape<typeof RedeliverWebhookResponseSchema>;
  readonly message: EnqueuedMessage;
};

/** Sends the same bytes again, after the answer: proto WebhookAdminService.RedeliverWebhook. */
export function redeliverWebhook({ db, principal }: Call, { id }: RedeliverWebhookRequest): Promise<Redelivery> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const delivery = await requireDelivery(uow, id);
    if (delivery.body === null) {
      const message = sentence`The log does not have what was sent any more. Let the integrator read the rewards or publications instead.`;
      throw new DomainError('WEBHOOK_BODY_GONE', message);
    }
    const waiting = await requeue(uow, delivery, delivery.body);
    const after = toWaitingWebhookMessage(waiting);
    const operation = WebhookAdminService.method.redeliverWebhook;
    const note = `Sent again because of the attempt ${delivery.id}, which was ${delivery.outcome}.`;
    await recordChange(uow, principal, {
      operation,
      schema: WaitingWebhookSchema,
      id: delivery.messageId,
      after,
      note,
    });
    return { response: { message: after }, message: waiting };
  });
}
