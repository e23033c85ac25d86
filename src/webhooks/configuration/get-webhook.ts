import type { MessageInitShape } from '@bufbuild/protobuf';
import type { WebhookConfigurationSchema } from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Call } from '../../clients/call.ts';
import { answeredConfiguration, noConfiguration } from './webhook-configuration.ts';
import { findConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/** GetRewardsWebhook, and the same for the other types. */
export async function getWebhook(
  { db, principal }: Call,
  type: WebhookType,
  { secrets }: WebhooksOptions,
): Promise<{ configuration: MessageInitShape<typeof WebhookConfigurationSchema> }> {
  const stored = await db.unitOfWork(principal.clientId, (uow) => findConfiguration(uow, type));
  if (stored === undefined) throw noConfiguration(type);
  return { configuration: answeredConfiguration(secrets, stored) };
}
