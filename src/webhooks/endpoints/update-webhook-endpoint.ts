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
import { resealed } from '../../kernel/secrets/secret-box.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { after, ARRIVED } from '../../persistence/moments.ts';
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
  { db, principal }: Call,
  { id, version, endpoint: draft, rotateSigningSecret: rotates = false }: UpdateWebhookEndpointRequest,
  options: WebhookEndpointsOptions,
): Promise<MessageInitShape<typeof UpdateWebhookEndpointResponseSchema>> {
  const signingSecret = newSigningSecret();
  const change = { operation: WebhookEndpointService.method.updateWebhookEndpoint, schema: WebhookEndpointSchema };
  const changed = await changeCatalog(db, principal, change, async (uow) => {
    const endpoint = await requireEndpoint(uow, id, { forChange: true });
    await requireVersion(uow, WebhookEndpointSchema, endpoint, version);
    const before = toWebhookEndpointMessage(endpoint);
    const { url, retries, campaignIds } = endpoint;
    const checked = await checkedDraft(uow, draft!, options, campaignIds);
    Object.assign(endpoint, checked, { version: endpoint.version + 1 });
    if (rotates) {
      const owner = secretOwner({ clientId: uow.clientId, key: endpoint.id }, 'signing');
      // A secret whose key is lost cannot sign any more, and would keep the endpoint from being sent to.
      const former = resealed(options.secrets, endpoint.signingSecretSealed, owner);
      Object.assign(endpoint, {
        formerSecretSealed: former ?? null,
        formerSecretUntil: former === undefined ? null : await overlapEnd(uow),
        signingSecretSealed: options.secrets.seal(signingSecret, owner),
      });
    }
    // The former address had refused them, or none is wanted any more.
    if (endpoint.url !== url || endpoint.retries !== retries) await endRetries(uow, endpoint.id);
    await uow.em.flush();
    const note = rotates ? String(sentence`The signing secret was rotated.`) : undefined;
    return { id: endpoint.id, before, after: toWebhookEndpointMessage(endpoint), ...(note && { note }) };
  });
  return { endpoint: rotates ? { ...changed.after, signingSecret } : changed.after };
}

/** The end of the use of a former secret, by PostgreSQL's clock. */
async function overlapEnd(uow: UnitOfWork): Promise<Date> {
  const [row] = await uow.query<{ at: Date }>(`select ${after(ARRIVED, `interval '${OVERLAP_HOURS} hours'`)} as at`);
  return row!.at;
}
