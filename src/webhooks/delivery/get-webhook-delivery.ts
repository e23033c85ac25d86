import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetWebhookDeliveryRequest,
  GetWebhookDeliveryResponseSchema,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { maskedCodes } from '../../kernel/secrets/masked-code.ts';
import { requireDelivery } from './deliveries.queries.ts';
import { toDeliveryMessage } from './delivery-message.ts';

/** Returns one attempt with its body: proto WebhookAdminService.GetWebhookDelivery. */
export function getWebhookDelivery(
  { db, principal }: Call,
  { id }: GetWebhookDeliveryRequest,
): Promise<MessageInitShape<typeof GetWebhookDeliveryResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const delivery = await requireDelivery(uow, id);
    const body = delivery.body ?? undefined;
    const shown = body !== undefined && isPerson(principal) ? JSON.stringify(maskedCodes(JSON.parse(body))) : body;
    return { delivery: { ...toDeliveryMessage(delivery), body: shown } };
  });
}
