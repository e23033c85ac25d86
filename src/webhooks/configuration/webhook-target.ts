import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import { webhookConfigurationTable } from './webhook-configuration.entity.ts';
import type { WebhookType } from './webhook-type.ts';

/** What sending needs of a configuration. */
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

/** The same as a statement reads it that calls the table `c`. */
export const TARGET = propertiesOf(webhookConfigurationTable, TARGET_PROPERTIES, 'c');

/** A stored configuration, as far as sending needs it. */
export type WebhookTarget = RowOf<typeof TARGET>;

/** What the sender reads of a target; alerts have one of their own, which is no configuration. */
export type SendTarget = Omit<WebhookTarget, 'type' | 'configurationId'> & { readonly type: WebhookType | 'ALERTS' };

/** Methods that a webhook may be sent with. */
export type WebhookMethod = WebhookTarget['method'];

/** The two secrets of a configuration. */
export type WebhookSecret = 'authentication' | 'signing';

/** Where a sealed secret belongs: a sealed text that is copied to another client, type or purpose does not open. */
export function secretOwner({ clientId, type }: Pick<SendTarget, 'clientId' | 'type'>, secret: WebhookSecret): string {
  return `${clientId}/webhook/${type}/${secret}`;
}
