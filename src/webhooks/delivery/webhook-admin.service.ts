import type { ServiceImpl } from '@connectrpc/connect';
import type { WebhookAdminService } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import { afterResponse } from '../../kernel/after-response.ts';
import type { Database } from '../../persistence/database.ts';
import type { Dispatcher } from './dispatcher.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { listWaitingWebhooks } from '../outbox/list-waiting-webhooks.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { redeliverWebhook } from '../outbox/redeliver-webhook.ts';

/** What became of one client's webhooks. `dispatcher` is told of what is to be sent again. */
export function webhookAdminService(db: Database, dispatcher: Pick<Dispatcher, 'wake'>) {
  return {
    listWebhookDeliveries: (request, context) => listWebhookDeliveries(db, principalOf(context), request),
    getWebhookDelivery: (request, context) => getWebhookDelivery(db, principalOf(context), request),
    listWaitingWebhooks: (request, context) => listWaitingWebhooks(db, principalOf(context), request),
    async redeliverWebhook(request, context) {
      const principal = principalOf(context);
      const response = await redeliverWebhook(db, principal, request);
      afterResponse(context, () => dispatcher.wake(principal.clientId, [response.message!.id!]));
      return response;
    },
  } satisfies ServiceImpl<typeof WebhookAdminService>;
}
