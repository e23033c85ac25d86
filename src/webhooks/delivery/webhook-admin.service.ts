import type { WebhookAdminService } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Dispatcher } from './dispatcher.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { listWaitingWebhooks } from '../outbox/list-waiting-webhooks.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { redeliverWebhook } from '../outbox/redeliver-webhook.ts';
import { resendWebhookDeliveries } from '../outbox/resend-webhook-deliveries.ts';
import { listWebhookRetries } from '../retries/list-webhook-retries.ts';
import { stopWebhookRetries } from '../retries/stop-webhook-retries.ts';
import type { Handlers } from '../../clients/call.ts';

/** The operations on one client's deliveries. `dispatcher` is woken for requeued messages. */
export function webhookAdminService(dispatcher: Pick<Dispatcher, 'wake' | 'wakeRetries'>) {
  return {
    listWebhookDeliveries,
    getWebhookDelivery,
    listWaitingWebhooks,
    listWebhookRetries,
    stopWebhookRetries,
    async resendWebhookDeliveries(call, request) {
      const { clientId } = call.principal;
      const { response, messages } = await resendWebhookDeliveries(call, request);
      if (messages.length > 0) call.afterResponse(() => dispatcher.wake(clientId, messages));
      return response;
    },
    async redeliverWebhook(call, request) {
      const { clientId } = call.principal;
      const { response, message } = await redeliverWebhook(call, request);
      const isRetry = response.message!.nextAttemptAt !== undefined;
      call.afterResponse(() => (isRetry ? dispatcher.wakeRetries() : dispatcher.wake(clientId, [message])));
      return response;
    },
  } satisfies Handlers<typeof WebhookAdminService>;
}
