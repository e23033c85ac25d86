import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetWebhookEndpointRequest,
  GetWebhookEndpointResponseSchema,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { toWebhookEndpointMessage } from './webhook-endpoint-message.ts';

/** Returns one endpoint: proto WebhookEndpointService.GetWebhookEndpoint. */
export function getWebhookEndpoint(
  { db, principal }: Call,
  { id }: GetWebhookEndpointRequest,
): Promise<MessageInitShape<typeof GetWebhookEndpointResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    return { endpoint: toWebhookEndpointMessage(await requireEndpoint(uow, id)) };
  });
}
