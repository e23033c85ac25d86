import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListWaitingWebhooksRequest,
  ListWaitingWebhooksResponseSchema,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { waitingPage } from '../delivery/deliveries.queries.ts';
import { toWaitingWebhookMessage } from '../delivery/delivery-message.ts';

/** Lists waiting messages by page, oldest first: proto WebhookAdminService.ListWaitingWebhooks. */
export function listWaitingWebhooks(
  { db, principal }: Call,
  request: ListWaitingWebhooksRequest,
): Promise<MessageInitShape<typeof ListWaitingWebhooksResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await waitingPage(uow, request);
    return { ...page, rows: page.rows.map(toWaitingWebhookMessage) };
  });
}
