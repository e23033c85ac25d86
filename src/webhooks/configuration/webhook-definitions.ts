import { bumpCatalogVersion, lockCatalog } from '../../clients/catalog-version.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { findConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookType } from './webhook-type.ts';

/**
 * Whether the client has configured the webhook of completed missions. Catalogues cache the result, so that events of
 * other clients need no statement for it.
 */
export async function sendsCompletions(uow: UnitOfWork): Promise<boolean> {
  return (await findConfiguration(uow, 'MISSION_COMPLETED')) !== undefined;
}

/** Makes changes of what catalogues keep wait for each other, before every other lock: nothing to do for the other types. */
export async function lockWebhookDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await lockCatalog(uow);
}

/** Makes every process read catalogues again before its next batch, where they keep whether the type is configured. */
export async function changeDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await bumpCatalogVersion(uow);
}
