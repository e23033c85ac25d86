import { WebhookConfigurationSchema } from '../../../gen/laurel/v1/webhook_pb.ts';
import { WebhookService } from '../../../gen/laurel/v1/webhook_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { toWebhookConfigurationMessage } from './webhook-configuration.ts';
import { deleteConfiguration, lockConfiguration } from './webhook-configuration.queries.ts';
import { endRetries } from '../retries/retry.queries.ts';
import { changeDefinitions, lockWebhookDefinitions } from './webhook-definitions.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

const OPERATIONS = {
  REWARDS: WebhookService.method.deleteRewardsWebhook,
  PUBLICATION_STATUS: WebhookService.method.deletePublicationStatusWebhook,
  MISSION_COMPLETED: WebhookService.method.deleteMissionCompletedWebhook,
  STOCK_LOW: WebhookService.method.deleteStockLowWebhook,
} as const;

/** DeleteRewardsWebhook, and the same for the other types. Waiting messages are dropped with the configuration. */
export async function deleteWebhook(
  { db, principal }: Call,
  type: WebhookType,
  { secrets }: WebhooksOptions,
): Promise<Record<string, never>> {
  await db.unitOfWork(principal.clientId, async (uow) => {
    await lockWebhookDefinitions(uow, type);
    const stored = await lockConfiguration(uow, type);
    if (stored === undefined) return;
    await endRetries(uow, stored.configurationId);
    await deleteConfiguration(uow, type);
    await changeDefinitions(uow, type);
    const before = toWebhookConfigurationMessage(secrets, stored);
    const operation = OPERATIONS[type];
    await recordChange(uow, principal, { operation, schema: WebhookConfigurationSchema, id: type, before });
  });
  return {};
}
