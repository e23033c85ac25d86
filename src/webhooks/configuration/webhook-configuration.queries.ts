import type { UnitOfWork } from '../../persistence/database.ts';
import type { WebhookTarget } from './webhook-target.ts';
import type { WebhookType } from './webhook-type.ts';

/** When the rewards webhook tells of a closing for which stock is missing. */
export type SendWhen = 'EACH_DELIVERY' | 'ALL_SETTLED';

/** What is stored of a configuration beside the moments at which it was. */
type Configuration = WebhookTarget & {
  /** Null where nothing else was set: EACH_DELIVERY, and always for publication-status. */
  readonly sendWhen: SendWhen | null;
};

/** A stored configuration. */
export type StoredConfiguration = Configuration & { readonly createdAt: Date; readonly updatedAt: Date };

const COLUMNS = `client_id as "clientId", type, endpoint, method,
  authentication_method_type as "authenticationMethodType", authentication_method_key as "authenticationMethodKey",
  authentication_value_sealed as "authenticationValueSealed", signing_secret_sealed as "signingSecretSealed",
  send_when as "sendWhen", created_at as "createdAt", updated_at as "updatedAt"`;

/** The configuration of a type, if there is one. */
export async function findConfiguration(uow: UnitOfWork, type: WebhookType): Promise<StoredConfiguration | undefined> {
  const [row] = await uow.query<StoredConfiguration>(
    `select ${COLUMNS} from webhook_configuration where client_id = $1 and type = $2`,
    [uow.clientId, type],
  );
  return row;
}

/** All configurations with an authentication value, of every client, in a system unit of work. */
export function configurationsWithSecret(
  uow: UnitOfWork,
): Promise<Pick<WebhookTarget, 'clientId' | 'type' | 'endpoint' | 'authenticationMethodType'>[]> {
  return uow.query(
    `select client_id as "clientId", type, endpoint, authentication_method_type as "authenticationMethodType"
       from webhook_configuration where authentication_method_type is not null order by client_id, type`,
  );
}

/**
 * Stores or replaces a configuration. One that was signed and stays signed keeps its secret, also when two are stored at
 * the same time: anyone who gets back the secret that he sent has made it.
 * @param configurationId used where none is stored yet
 */
export async function storeConfiguration(
  uow: UnitOfWork,
  configurationId: string,
  target: Omit<Configuration, 'clientId'>,
): Promise<StoredConfiguration> {
  const [row] = await uow.query<StoredConfiguration>(
    `insert into webhook_configuration as w (client_id, type, configuration_id, endpoint, method, authentication_method_type,
                                             authentication_method_key, authentication_value_sealed, signing_secret_sealed,
                                             send_when, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), clock_timestamp())
     on conflict (client_id, type) do update
        set endpoint = excluded.endpoint,
            method = excluded.method,
            authentication_method_type = excluded.authentication_method_type,
            authentication_method_key = excluded.authentication_method_key,
            authentication_value_sealed = excluded.authentication_value_sealed,
            signing_secret_sealed = case when excluded.signing_secret_sealed is not null
                                         then coalesce(w.signing_secret_sealed, excluded.signing_secret_sealed) end,
            send_when = excluded.send_when,
            updated_at = excluded.updated_at
     returning ${COLUMNS}`,
    [
      uow.clientId,
      target.type,
      configurationId,
      target.endpoint,
      target.method,
      target.authenticationMethodType,
      target.authenticationMethodKey,
      target.authenticationValueSealed,
      target.signingSecretSealed,
      target.sendWhen,
    ],
  );
  return row!;
}

/** Deletes a configuration and everything that waits for it. */
export async function deleteConfiguration(uow: UnitOfWork, type: WebhookType): Promise<void> {
  await uow.query(
    `with gone as (
       delete from webhook_configuration where client_id = $1 and type = $2 returning configuration_id
     )
     delete from outbox_message o using gone where o.client_id = $1 and o.configuration_id = gone.configuration_id`,
    [uow.clientId, type],
  );
}
