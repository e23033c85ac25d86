import type { MessageInitShape } from '@bufbuild/protobuf';
import { WebhookEndpointSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import {
  type UpdateWebhookEndpointRequest,
  type UpdateWebhookEndpointResponseSchema,
  WebhookEndpointService,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { OVERLAP_HOURS } from '../configuration/webhook-configuration.queries.ts';
import { secretOwner } from '../configuration/webhook-target.ts';
import { newSigningSecret } from '../delivery/webhook-signature.ts';
import { endRetries } from '../retries/retry.queries.ts';
import { checkedDraft } from './checked-draft.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { toWebhookEndpointMessage } from './webhook-endpoint-message.ts';
import type { WebhookEndpointsOptions } from './webhook-endpoints-options.ts';

/** Replaces the data of an endpoint: proto WebhookEndpointService.UpdateWebhookEndpoint. */
export async function updateWebhookEndpoint(
  { db, principal, clock }: Call,
  { id, version, endpoint: draft, rotateSigningSecret: rotates = false }: UpdateWebhookEndpointRequest,
  options: WebhookEndpointsOptions,
): Promise<MessageInitShape<typeof UpdateWebhookEndpointResponseSchema>> {
  const signingSecret = newSigningSecret();
  const change = { operation: WebhookEndpointService.method.updateWebhookEndpoint, schema: WebhookEndpointSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const endpoint = await requireEndpoint(uow, id, { forChange: true });
    await requireVersion(uow, WebhookEndpointSchema, endpoint, version);
    const before = toWebhookEndpointMessage(endpoint);
    const { url, retries } = endpoint;
    Object.assign(endpoint, await checkedDraft(uow, draft!, options), { version: endpoint.version + 1 });
    if (rotates) {
      const owner = secretOwner({ clientId: uow.clientId, key: endpoint.id }, 'signing');
      Object.assign(endpoint, {
        formerSecretSealed: endpoint.signingSecretSealed,
        formerSecretUntil: new Date(clock().getTime() + OVERLAP_HOURS * 3_600_000),
        signingSecretSealed: options.secrets.seal(signingSecret, owner),
      });
    }
    // The former receiver had refused them.
    if (endpoint.url !== url || endpoint.retries !== retries) await endRetries(uow, endpoint.id);
    await uow.em.flush();
    const note = rotates ? 'The signing secret was rotated.' : undefined;
    return { id: endpoint.id, before, after: toWebhookEndpointMessage(endpoint), ...(note && { note }) };
  });
  return { endpoint: rotates ? { ...after, signingSecret } : after };
}
