import type { MessageInitShape } from '@bufbuild/protobuf';
import { WebhookEndpointSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import {
  type CreateWebhookEndpointRequest,
  type CreateWebhookEndpointResponseSchema,
  WebhookEndpointService,
} from '../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { secretOwner } from '../configuration/webhook-target.ts';
import { newSigningSecret } from '../delivery/webhook-signature.ts';
import { checkedDraft } from './checked-draft.ts';
import { type WebhookEndpointEntity, webhookEndpointTable } from './webhook-endpoint.entity.ts';
import { toWebhookEndpointMessage } from './webhook-endpoint-message.ts';
import type { WebhookEndpointsOptions } from './webhook-endpoints-options.ts';

/** The maximum of endpoints of one client: each change is written and sent once for each. */
const ENDPOINTS_MAX = 20;

/** Creates an endpoint with a new secret: proto WebhookEndpointService.CreateWebhookEndpoint. */
export async function createWebhookEndpoint(
  { db, principal }: Call,
  { endpoint: draft }: CreateWebhookEndpointRequest,
  options: WebhookEndpointsOptions,
): Promise<MessageInitShape<typeof CreateWebhookEndpointResponseSchema>> {
  const id = newId();
  const signingSecret = newSigningSecret();
  const owner = secretOwner({ clientId: principal.clientId, key: id }, 'signing');
  const change = { operation: WebhookEndpointService.method.createWebhookEndpoint, schema: WebhookEndpointSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    await requireRoom(uow);
    const endpoint = uow.em.create(webhookEndpointTable, {
      ...(await checkedDraft(uow, draft!, options)),
      clientId: uow.clientId,
      id,
      signingSecretSealed: options.secrets.seal(signingSecret, owner),
    }) as WebhookEndpointEntity;
    await uow.em.flush();
    return { id, after: toWebhookEndpointMessage(endpoint) };
  });
  return { endpoint: { ...after, signingSecret } };
}

async function requireRoom(uow: UnitOfWork): Promise<void> {
  const [row] = await uow.query<{ count: number }>(
    'select count(*)::int as count from webhook_endpoint where client_id = $1',
    [uow.clientId],
  );
  if (row!.count < ENDPOINTS_MAX) return;
  throw new DomainError(
    'TOO_MANY_WEBHOOK_ENDPOINTS',
    'The client has 20 webhook endpoints already. Delete one first, or let one receive more types.',
  );
}
