import { type Columns, columnsOf, propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { ChangeKind } from '../changes/change-kind.ts';
import { webhookConfigurationTable } from './webhook-configuration.entity.ts';
import type { WebhookType } from './webhook-type.ts';

/** The columns that every receiver of webhooks has. */
const RECEIVER_PROPERTIES = [
  'clientId',
  'configurationId',
  'endpoint',
  'method',
  'authenticationMethodType',
  'authenticationMethodKey',
  'authenticationValueSealed',
  'signingSecretSealed',
  'formerSecretSealed',
  'formerSecretUntil',
  'retries',
] as const;

/**
 * The receivers of webhooks as one relation with the alias `c`: the configurations of the types, and the endpoints. An endpoint's id is its
 * `configuration_id`, and only an endpoint has an `endpoint_id`. The `key` is the type of a configuration or the id of an endpoint. Older
 * hosts read the table of configurations alone, so they leave the messages of endpoints to others.
 */
export const RECEIVERS = `(
  select ${columnsOf(webhookConfigurationTable, RECEIVER_PROPERTIES)}, updated_at, null::uuid as endpoint_id, type as key, type as name
    from webhook_configuration
   union all
  select client_id, id, url, 'POST', null, null, null, signing_secret_sealed, former_secret_sealed, former_secret_until, retries,
         updated_at, id, id::text, name
    from webhook_endpoint) c`;

const CONFIGURED = propertiesOf(webhookConfigurationTable, RECEIVER_PROPERTIES, 'c');

/** The columns of {@link RECEIVERS} that the sender needs. */
export const TARGET: Columns<WebhookTarget> = `${CONFIGURED}, c.endpoint_id as "endpointId", c.key`;

/** The part of a receiver that the sender needs. */
export type WebhookTarget = RowOf<typeof CONFIGURED> & {
  /** Null for the configuration of a type. */
  readonly endpointId: string | null;
  readonly key: ReceiverKey;
};

/** The receiver of a message. */
export type Receiver = Pick<WebhookTarget, 'clientId' | 'configurationId'>;

/** The type of a message: a webhook's, or the kind of change for an endpoint. */
export type MessageType = WebhookType | ChangeKind;

/** The key of a receiver among those of its client: the type of a webhook, or the id of an endpoint. */
export type ReceiverKey = string;

/** The target of a request; alerts build their own without a configuration. */
export type SendTarget = Omit<WebhookTarget, 'configurationId' | 'endpointId'>;

/** The HTTP methods of webhooks. */
export type WebhookMethod = WebhookTarget['method'];

/** The two secrets of a receiver. */
export type WebhookSecret = 'authentication' | 'signing';

/** The owner of a sealed secret: a sealed text that is copied to another client, receiver or purpose does not open. */
export function secretOwner({ clientId, key }: Pick<SendTarget, 'clientId' | 'key'>, secret: WebhookSecret): string {
  return `${clientId}/webhook/${key}/${secret}`;
}
