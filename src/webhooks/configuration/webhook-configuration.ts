import { enumFromJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  WebhookConfiguration_AuthenticationMethodTypeSchema,
  WebhookConfiguration_MethodSchema,
  WebhookConfiguration_SendWhen,
  type WebhookConfigurationSchema,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import { UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { StoredConfiguration } from './webhook-configuration.queries.ts';
import { warningsOf } from './plain-secrets.ts';
import { MASK } from './webhook-settings.ts';
import { secretOwner } from './webhook-target.ts';
import { WEBHOOK_PATHS, type WebhookType } from './webhook-type.ts';

/** The number of characters of a secret that its mask shows; a shorter secret shows none. */
const SHOWN = 4;
const SHOWN_FROM = 8;

/** A stored configuration as the API shows it, with a masked secret. */
export function toWebhookConfigurationMessage(
  secrets: SecretBox,
  stored: StoredConfiguration,
): MessageInitShape<typeof WebhookConfigurationSchema> {
  return {
    endpoint: stored.endpoint,
    method: enumFromJson(WebhookConfiguration_MethodSchema, stored.method),
    ...toAuthenticationMessage(secrets, stored),
    signed: stored.signingSecretSealed !== null,
    retries: stored.retries,
    ...(stored.formerSecretUntil !== null && { formerSecretUntil: timestampFromDate(stored.formerSecretUntil) }),
    ...(stored.type === 'REWARDS' && { sendWhen: WebhookConfiguration_SendWhen[stored.sendWhen ?? 'EACH_DELIVERY'] }),
    createdAt: timestampFromDate(stored.createdAt),
    updatedAt: timestampFromDate(stored.updatedAt),
  };
}

/** The same for the management operations, with warnings. */
export function answeredConfiguration(
  secrets: SecretBox,
  stored: StoredConfiguration,
): MessageInitShape<typeof WebhookConfigurationSchema> {
  return { ...toWebhookConfigurationMessage(secrets, stored), warnings: warningsOf(stored) };
}

function toAuthenticationMessage(secrets: SecretBox, stored: StoredConfiguration) {
  if (stored.authenticationMethodType === null) return {};
  return {
    authenticationMethodType: enumFromJson(
      WebhookConfiguration_AuthenticationMethodTypeSchema,
      stored.authenticationMethodType,
    ),
    authenticationMethodKey: stored.authenticationMethodKey ?? '',
    authenticationValue: maskedValue(secrets, stored),
  };
}

/**
 * The masked form of the stored secret. It does not fail if the key is lost, because the administrator must still see
 * the other settings.
 */
export function maskedValue(secrets: SecretBox, target: StoredConfiguration): string {
  try {
    const characters = [...authenticationValue(secrets, target)];
    return MASK + (characters.length < SHOWN_FROM ? '' : characters.slice(-SHOWN).join(''));
  } catch (error) {
    if (error instanceof UnreadableSecret) return MASK;
    throw error;
  }
}

/**
 * The stored secret.
 * @throws UnreadableSecret
 */
export function authenticationValue(secrets: SecretBox, target: StoredConfiguration): string {
  const sealed = target.authenticationValueSealed;
  return sealed === null
    ? ''
    : secrets.open(sealed, secretOwner({ clientId: target.clientId, key: target.type }, 'authentication'));
}

/** The 404 of a type without configuration. */
export function noConfiguration(type: WebhookType): Error {
  const path = WEBHOOK_PATHS[type];
  return new DomainError(
    'WEBHOOK_NOT_FOUND',
    sentence`No ${path} webhook is configured; store one by PUT /webhooks/${path}.`,
  );
}
