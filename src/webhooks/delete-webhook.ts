import type { Principal } from '../clients/principal.ts';
import { deleteConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/** DeleteRewardsWebhook, DeletePublicationStatusWebhook. What waits to be sent is discarded with the configuration. */
export async function deleteWebhook(
  { db }: WebhooksOptions,
  { clientId }: Principal,
  type: WebhookType,
): Promise<Record<string, never>> {
  await db.unitOfWork(clientId, (uow) => deleteConfiguration(uow, type));
  return {};
}
