import type { Call } from '../../clients/call.ts';
import { newId } from '../../kernel/ids.ts';
import { kindOf } from '../changes/change-kind.ts';
import { testData } from '../changes/test-data.ts';
import { noConfiguration } from './webhook-configuration.ts';
import { findConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/**
 * TestRewardsWebhook, and the same for the other types. It always sends a POST, even if another method is configured, and stores nothing.
 */
export async function testWebhook(
  { db, principal: { clientId }, clock }: Call,
  type: WebhookType,
  { sender }: WebhooksOptions,
): Promise<{ success: boolean }> {
  const target = await db.unitOfWork(clientId, (uow) => findConfiguration(uow, type));
  if (target === undefined) throw noConfiguration(type);
  const attempt = await sender.send(
    { ...target, key: type, method: 'POST' },
    { id: newId(), body: testData(kindOf(type), clientId, clock()) },
  );
  return { success: attempt.outcome === 'DELIVERED' };
}
