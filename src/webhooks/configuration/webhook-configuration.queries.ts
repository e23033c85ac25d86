import type { UnitOfWork } from '../../persistence/database.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { after, ARRIVED } from '../../persistence/moments.ts';
import { webhookConfigurationTable } from './webhook-configuration.entity.ts';
import type { WebhookType } from './webhook-type.ts';

const COLUMNS = propertiesOf(webhookConfigurationTable, [
  'clientId',
  'type',
  'configurationId',
  'endpoint',
  'method',
  'authenticationMethodType',
  'authenticationMethodKey',
  'authenticationValueSealed',
  'signingSecretSealed',
  'formerSecretSealed',
  'formerSecretUntil',
  'sendWhen',
  'retries',
  'createdAt',
  'updatedAt',
]);

/** A stored configuration. A null `sendWhen` means EACH_DELIVERY; only the rewards webhook can have a value. */
export type StoredConfiguration = RowOf<typeof COLUMNS>;

/** When the rewards webhook reports a closing with missing stock. */
export type SendWhen = NonNullable<StoredConfiguration['sendWhen']>;

/** The configuration of a type, or undefined. */
export async function findConfiguration(uow: UnitOfWork, type: WebhookType): Promise<StoredConfiguration | undefined> {
  const [row] = await uow.query<StoredConfiguration>(
    `select ${COLUMNS} from webhook_configuration where client_id = $1 and type = $2`,
    [uow.clientId, type],
  );
  return row;
}

/** The same, locked until the transaction ends: no other transaction can change it or add a retry meanwhile. */
export async function lockConfiguration(uow: UnitOfWork, type: WebhookType): Promise<StoredConfiguration | undefined> {
  const [row] = await uow.query<StoredConfiguration>(
    `select ${COLUMNS} from webhook_configuration where client_id = $1 and type = $2 for update`,
    [uow.clientId, type],
  );
  return row;
}

const WITH_SECRET = propertiesOf(webhookConfigurationTable, [
  'clientId',
  'type',
  'endpoint',
  'authenticationMethodType',
]);

/** All configurations with an authentication value, of every client, in a system unit of work. */
export function configurationsWithSecret(uow: UnitOfWork): Promise<RowOf<typeof WITH_SECRET>[]> {
  return uow.query(
    `select ${WITH_SECRET} from webhook_configuration where authentication_method_type is not null order by client_id, type`,
  );
}

/** Hours in which requests also carry a signature of the former secret. */
export const OVERLAP_HOURS = 24;

/**
 * Stores or replaces a configuration. A signed configuration that stays signed keeps its secret, also with two concurrent calls. With
 * `rotates` it gets the new secret, and the current one becomes the former one. If the returned secret equals the sent one, this call
 * created it.
 * @param configurationId the id for a first configuration
 */
export async function storeConfiguration(
  uow: UnitOfWork,
  configurationId: string,
  target: Omit<
    StoredConfiguration,
    'clientId' | 'configurationId' | 'formerSecretSealed' | 'formerSecretUntil' | 'createdAt' | 'updatedAt'
  >,
  { rotates = false } = {},
): Promise<StoredConfiguration> {
  const [row] = await uow.query<StoredConfiguration>(
    `insert into webhook_configuration as w (client_id, type, configuration_id, endpoint, method, authentication_method_type,
                                             authentication_method_key, authentication_value_sealed, signing_secret_sealed,
                                             send_when, retries, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${ARRIVED}, ${ARRIVED})
     on conflict (client_id, type) do update
        set endpoint = excluded.endpoint,
            method = excluded.method,
            authentication_method_type = excluded.authentication_method_type,
            authentication_method_key = excluded.authentication_method_key,
            authentication_value_sealed = excluded.authentication_value_sealed,
            signing_secret_sealed = case when excluded.signing_secret_sealed is null then null
                                         when $12 then excluded.signing_secret_sealed
                                         else coalesce(w.signing_secret_sealed, excluded.signing_secret_sealed) end,
            former_secret_sealed = case when excluded.signing_secret_sealed is null then null
                                        when $12 then w.signing_secret_sealed else w.former_secret_sealed end,
            former_secret_until = case when excluded.signing_secret_sealed is null then null
                                       when not $12 then w.former_secret_until
                                       when w.signing_secret_sealed is not null
                                       then ${after('excluded.updated_at', `interval '${OVERLAP_HOURS} hours'`)} end,
            send_when = excluded.send_when,
            retries = excluded.retries,
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
      target.retries,
      rotates,
    ],
  );
  return row!;
}

/** Deletes a configuration and its waiting messages. */
export async function deleteConfiguration(uow: UnitOfWork, type: WebhookType): Promise<void> {
  await uow.query(
    `with gone as (
       delete from webhook_configuration where client_id = $1 and type = $2 returning configuration_id
     )
     delete from outbox_message where client_id = $1 and configuration_id = (select configuration_id from gone)`,
    [uow.clientId, type],
  );
}
