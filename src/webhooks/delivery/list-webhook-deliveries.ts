import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponseSchema,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { deliveryPage } from './deliveries.queries.ts';
import { toDeliveryMessage } from './delivery-message.ts';

/** Lists attempts to send by page, latest first: proto WebhookAdminService.ListWebhookDeliveries. */
export function listWebhookDeliveries(
  { db, principal }: Call,
  request: ListWebhookDeliveriesRequest,
): Promise<MessageInitShape<typeof ListWebhookDeliveriesResponseSchema>> {
  const within = { from: firstIdFrom(request.from), until: firstIdFrom(request.to) };
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await deliveryPage(uow, { ...request, within });
    return { ...page, rows: page.rows.map(toDeliveryMessage) };
  });
}

function firstIdFrom(moment: Timestamp | undefined): string | undefined {
  return moment && firstIdAt(timestampDate(moment));
}
