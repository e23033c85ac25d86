import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponseSchema,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { renamedMoment } from '../../kernel/time/renamed-moment.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { deliveryPage } from './deliveries.queries.ts';
import { toDeliveryMessage } from './delivery-message.ts';

/** Lists attempts by page, latest first: proto WebhookAdminService.ListWebhookDeliveries. */
export function listWebhookDeliveries(
  { db, principal }: Call,
  request: ListWebhookDeliveriesRequest,
): Promise<MessageInitShape<typeof ListWebhookDeliveriesResponseSchema>> {
  const { since, until, from, to } = request;
  const within = { from: firstIdFrom({ since }, { from }), until: firstIdFrom({ until }, { to }) };
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await deliveryPage(uow, { ...request, within });
    return { ...page, rows: page.rows.map(toDeliveryMessage) };
  });
}

function firstIdFrom(...names: Parameters<typeof renamedMoment>): string | undefined {
  const moment = renamedMoment(...names);
  return moment && firstIdAt(moment);
}
