import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListWebhookEndpointsResponseSchema } from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { webhookEndpointTable } from './webhook-endpoint.entity.ts';
import { toWebhookEndpointMessage } from './webhook-endpoint-message.ts';

/** Lists the endpoints by name: proto WebhookEndpointService.ListWebhookEndpoints. */
export function listWebhookEndpoints({
  db,
  principal: { clientId },
}: Call): Promise<MessageInitShape<typeof ListWebhookEndpointsResponseSchema>> {
  return db.unitOfWork(clientId, async (uow) => {
    const endpoints = await uow.em.find(
      webhookEndpointTable,
      { clientId },
      { orderBy: [{ name: 'asc' }, { id: 'asc' }] },
    );
    return { rows: endpoints.map(toWebhookEndpointMessage) };
  });
}
