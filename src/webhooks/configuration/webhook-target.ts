import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { webhookConfigurationTable } from './webhook-configuration.entity.ts';
import type { WebhookType } from './webhook-type.ts';

/** The fields of a configuration that the sender needs. */
export const TARGET_PROPERTIES = [
  'clientId',
  'type',
  'endpoint',
  'method',
  'authenticationMethodType',
  'authenticationMethodKey',
  'authenticationValueSealed',
  'signingSecretSealed',
  'formerSecretSealed',
  'formerSecretUntil',
  'configurationId',
  'retries',
] as const;

/** The same as SQL for a table with the alias `c`. */
export const TARGET = propertiesOf(webhookConfigurationTable, TARGET_PROPERTIES, 'c');

/** The part of a stored configuration that the sender needs. */
export type WebhookTarget = RowOf<typeof TARGET>;

/** The target of a request; alerts build their own without a configuration. */
export type SendTarget = Omit<WebhookTarget, 'type' | 'configurationId'> & { readonly type: WebhookType | 'ALERTS' };

/** The HTTP methods of webhooks. */
export type WebhookMethod = WebhookTarget['method'];

/** The two secrets of a configuration. */
export type WebhookSecret = 'authentication' | 'signing';

/** The owner of a sealed secret: a sealed text that is copied to another client, type or purpose does not open. */
export function secretOwner({ clientId, type }: Pick<SendTarget, 'clientId' | 'type'>, secret: WebhookSecret): string {
  return `${clientId}/webhook/${type}/${secret}`;
}
