import type { WebhookAdminService } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Dispatcher } from './dispatcher.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { listWaitingWebhooks } from '../outbox/list-waiting-webhooks.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { redeliverWebhook } from '../outbox/redeliver-webhook.ts';
import type { Handlers } from '../../clients/call.ts';

/** What became of one client's webhooks. `dispatcher` is told of what is to be sent again. */
export function webhookAdminService(dispatcher: Pick<Dispatcher, 'wake'>) {
  return {
    listWebhookDeliveries,
    getWebhookDelivery,
    listWaitingWebhooks,
    async redeliverWebhook(call, request) {
      const { clientId } = call.principal;
      const response = await redeliverWebhook(call, request);
      call.afterResponse(() => dispatcher.wake(clientId, [response.message!.id!]));
      return response;
    },
  } satisfies Handlers<typeof WebhookAdminService>;
}
