import type { WebhookEndpointService } from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { testWebhookEndpoint } from './test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';
import type { WebhookEndpointsOptions } from './webhook-endpoints-options.ts';

/** The webhook endpoints of a client. */
export function webhookEndpointsService(options: WebhookEndpointsOptions) {
  return {
    createWebhookEndpoint: (call, request) => createWebhookEndpoint(call, request, options),
    listWebhookEndpoints,
    getWebhookEndpoint,
    updateWebhookEndpoint: (call, request) => updateWebhookEndpoint(call, request, options),
    deleteWebhookEndpoint,
    testWebhookEndpoint: (call, request) => testWebhookEndpoint(call, request, options),
  } satisfies Handlers<typeof WebhookEndpointService>;
}
