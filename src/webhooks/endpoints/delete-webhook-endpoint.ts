import type { MessageInitShape } from '@bufbuild/protobuf';
import { WebhookEndpointSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import {
  type DeleteWebhookEndpointRequest,
  type DeleteWebhookEndpointResponseSchema,
  WebhookEndpointService,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { endRetries } from '../retries/retry.queries.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { toWebhookEndpointMessage } from './webhook-endpoint-message.ts';

/** Deletes an endpoint and its waiting messages: proto WebhookEndpointService.DeleteWebhookEndpoint. */
export async function deleteWebhookEndpoint(
  { db, principal }: Call,
  { id, version }: DeleteWebhookEndpointRequest,
): Promise<MessageInitShape<typeof DeleteWebhookEndpointResponseSchema>> {
  const change = { operation: WebhookEndpointService.method.deleteWebhookEndpoint, schema: WebhookEndpointSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const endpoint = await requireEndpoint(uow, id, { forChange: true });
    await requireVersion(uow, WebhookEndpointSchema, endpoint, version);
    const before = toWebhookEndpointMessage(endpoint);
    await endRetries(uow, endpoint.id);
    await uow.query('delete from outbox_message where client_id = $1 and configuration_id = $2', [
      uow.clientId,
      endpoint.id,
    ]);
    uow.em.remove(endpoint);
    await uow.em.flush();
    return { id: endpoint.id, before };
  });
  return {};
}
