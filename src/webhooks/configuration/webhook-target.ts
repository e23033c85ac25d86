import type { WebhookType } from './webhook-type.ts';

/** Methods that a webhook may be sent with. */
export type WebhookMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A stored configuration, as far as sending needs it. */
export type WebhookTarget = {
  readonly clientId: string;
  readonly type: WebhookType;
  readonly endpoint: string;
  readonly method: WebhookMethod;
  readonly authenticationMethodType: 'HEADER' | 'QUERY_PARAM' | null;
  readonly authenticationMethodKey: string | null;
  readonly authenticationValueSealed: string | null;
  /** Present where deliveries are signed. */
  readonly signingSecretSealed: string | null;
};

/** The two secrets of a configuration. */
export type WebhookSecret = 'authentication' | 'signing';

/** Where a sealed secret belongs: a sealed text that is copied to another client, type or purpose does not open. */
export function secretOwner(
  { clientId, type }: Pick<WebhookTarget, 'clientId' | 'type'>,
  secret: WebhookSecret,
): string {
  return `${clientId}/webhook/${type}/${secret}`;
}
