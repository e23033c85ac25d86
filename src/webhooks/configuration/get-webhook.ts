import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WebhookConfigurationSchema } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import { answeredConfiguration, noConfiguration } from './webhook-configuration.ts';
import { findConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/** GetRewardsWebhook, GetPublicationStatusWebhook. */
export async function getWebhook(
  { db, secrets }: WebhooksOptions,
  principal: Principal,
  type: WebhookType,
): Promise<{ configuration: MessageInitShape<typeof WebhookConfigurationSchema> }> {
  const stored = await db.unitOfWork(principal.clientId, (uow) => findConfiguration(uow, type));
  if (stored === undefined) throw noConfiguration(type);
  return { configuration: answeredConfiguration(secrets, stored) };
}
