import type { MessageInitShape } from '@bufbuild/protobuf';
import { Change_KindSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type {
  TestWebhookEndpointRequest,
  TestWebhookEndpointResponseSchema,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { newId } from '../../kernel/ids.ts';
import { notificationBody } from '../changes/notification.ts';
import { testData } from '../changes/test-data.ts';
import { requireEndpoint } from './require-endpoint.ts';
import type { WebhookEndpointsOptions } from './webhook-endpoints-options.ts';

/** Sends a synthetic change to an endpoint: proto WebhookEndpointService.TestWebhookEndpoint. It stores nothing. */
export async function testWebhookEndpoint(
  { db, principal: { clientId }, clock }: Call,
  { id, type }: TestWebhookEndpointRequest,
  { sender }: WebhookEndpointsOptions,
): Promise<MessageInitShape<typeof TestWebhookEndpointResponseSchema>> {
  const endpoint = await db.unitOfWork(clientId, (uow) => requireEndpoint(uow, id));
  const kind = enumName(Change_KindSchema, type) ?? endpoint.types[0]!;
  const message = { id: newId(), kind, clientId, occurredAt: clock(), json: testData(kind, clientId, clock()) };
  const { outcome, statusCode, error } = await sender.send(
    {
      clientId,
      key: endpoint.id,
      endpoint: endpoint.url,
      method: 'POST',
      authenticationMethodType: null,
      authenticationMethodKey: null,
      authenticationValueSealed: null,
      signingSecretSealed: endpoint.signingSecretSealed,
      formerSecretSealed: endpoint.formerSecretSealed ?? null,
      formerSecretUntil: endpoint.formerSecretUntil ?? null,
      retries: endpoint.retries,
    },
    { id: message.id, body: notificationBody(endpoint.form, { ...message, test: true }) },
  );
  return { success: outcome === 'DELIVERED', statusCode: statusCode ?? undefined, error: error ?? undefined };
}
