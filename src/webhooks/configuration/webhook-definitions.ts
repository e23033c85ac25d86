import { bumpCatalogVersion, lockCatalog } from '../../clients/catalog-version.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { WebhookType } from './webhook-type.ts';

/**
 * Whether the client has a receiver of completed missions: the webhook or an endpoint. Catalogues cache the result, so that events of
 * other clients need no statement for it.
 */
export async function sendsCompletions(uow: UnitOfWork): Promise<boolean> {
  const rows = await uow.query(
    `select 1 from webhook_configuration where client_id = $1 and type = 'MISSION_COMPLETED'
      union all
     select 1 from webhook_endpoint where client_id = $1 and 'MISSION_COMPLETED' = any(types)`,
    [uow.clientId],
  );
  return rows.length > 0;
}

/** Serializes changes of catalogue content, before every other lock. Types outside of the catalogue need no lock. */
export async function lockWebhookDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await lockCatalog(uow);
}

/** Makes every process read catalogues again before its next batch, if catalogues contain the configuration of the type. */
export async function changeDefinitions(uow: UnitOfWork, type: WebhookType): Promise<void> {
  if (type === 'MISSION_COMPLETED') await bumpCatalogVersion(uow);
}
