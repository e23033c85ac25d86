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

/** Serializes changes of catalogue content, before every other lock. Types outside of the catalogue need no lock. */
export async function lockWebhookDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await lockCatalog(uow);
}

/** Makes every process read catalogues again before its next batch, if catalogues contain the configuration of the type. */
export async function changeDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await bumpCatalogVersion(uow);
}
