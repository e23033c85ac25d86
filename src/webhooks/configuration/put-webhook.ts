import type { MessageInitShape } from '@bufbuild/protobuf';
import { WebhookConfigurationSchema, type WebhookSettings } from '../../../gen/laurel/v1/webhook_pb.ts';
import { WebhookService } from '../../../gen/laurel/v1/webhook_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import { UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import {
  answeredConfiguration,
  authenticationValue,
  toWebhookConfigurationMessage,
  maskedValue,
} from './webhook-configuration.ts';
import { namedInLog, sendsPlainSecret } from './plain-secrets.ts';
import { lockConfiguration, type StoredConfiguration, storeConfiguration } from './webhook-configuration.queries.ts';
import { type CheckedSettings, checkedSettings, MASK } from './webhook-settings.ts';
import { newSigningSecret } from '../delivery/webhook-signature.ts';
import { endRetries } from '../retries/retry.queries.ts';
import { secretOwner } from './webhook-target.ts';
import { changeDefinitions, lockWebhookDefinitions } from './webhook-definitions.ts';
import type { WebhookType } from './webhook-type.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

const OPERATIONS = {
  REWARDS: WebhookService.method.putRewardsWebhook,
  PUBLICATION_STATUS: WebhookService.method.putPublicationStatusWebhook,
  MISSION_COMPLETED: WebhookService.method.putMissionCompletedWebhook,
  STOCK_LOW: WebhookService.method.putStockLowWebhook,
} as const;

/** PutRewardsWebhook, and the same for the other types. */
export async function putWebhook(
  { db, principal }: Call,
  type: WebhookType,
  settings: WebhookSettings | undefined,
  options: WebhooksOptions,
): Promise<{ configuration: MessageInitShape<typeof WebhookConfigurationSchema> }> {
  if (settings === undefined) throw badRequest('endpoint is required. Send an absolute URL with protocol.');
  const checked = checkedSettings(type, settings, options);
  const owner = { clientId: principal.clientId, key: type };
  const signingSecret = newSigningSecret();
  const sealedSigningSecret = checked.signed
    ? options.secrets.seal(signingSecret, secretOwner(owner, 'signing'))
    : null;
  const stored = await db.unitOfWork(principal.clientId, async (uow) => {
    await lockWebhookDefinitions(uow, type);
    const earlier = await lockConfiguration(uow, type);
    const value = secretToStore(options, earlier, checked);
    const target = {
      type,
      endpoint: checked.endpoint,
      method: checked.method,
      authenticationMethodType: checked.authentication?.type ?? null,
      authenticationMethodKey: checked.authentication?.key ?? null,
      authenticationValueSealed:
        value === undefined ? null : options.secrets.seal(value, secretOwner(owner, 'authentication')),
      signingSecretSealed: sealedSigningSecret,
      sendWhen: checked.sendWhen,
      retries: checked.retries,
    };
    const now = await storeConfiguration(uow, newId(), target, checked);
    if (earlier !== undefined && changes(options, earlier, now, value)) await endRetries(uow, now.configurationId);
    if (earlier === undefined) await changeDefinitions(uow, type);
    await recordChange(uow, principal, {
      operation: OPERATIONS[type],
      schema: WebhookConfigurationSchema,
      id: type,
      before: earlier && toWebhookConfigurationMessage(options.secrets, earlier),
      after: toWebhookConfigurationMessage(options.secrets, now),
      note: noteOf(checked),
    });
    return now;
  });
  if (sendsPlainSecret(stored))
    options.logger.warn(namedInLog(stored), 'a webhook sends its authentication value over plain http');
  const configuration = answeredConfiguration(options.secrets, stored);
  const isNew = stored.signingSecretSealed !== null && stored.signingSecretSealed === sealedSigningSecret;
  return { configuration: isNew ? { ...configuration, signingSecret } : configuration };
}

/**
 * Whether a PUT changed a setting. A change drops the waiting retries, because the former receiver had refused them. A
 * tool that stores the same settings every hour must lose no retries.
 */
function changes(
  { secrets }: WebhooksOptions,
  earlier: StoredConfiguration,
  now: StoredConfiguration,
  value: string | undefined,
): boolean {
  const settings = [
    'endpoint',
    'method',
    'authenticationMethodType',
    'authenticationMethodKey',
    'sendWhen',
    'retries',
  ] as const;
  if (settings.some((name) => earlier[name] !== now[name])) return true;
  if ((earlier.signingSecretSealed === null) !== (now.signingSecretSealed === null)) return true;
  try {
    return authenticationValue(secrets, earlier) !== (value ?? '');
  } catch (error) {
    // The stored secret is unreadable, so the sent one counts as a different one.
    if (error instanceof UnreadableSecret) return true;
    throw error;
  }
}

/** The sent secret. If it is the masked form, which a form in a console sends back, the stored one. */
function secretToStore(
  { secrets }: WebhooksOptions,
  stored: StoredConfiguration | undefined,
  { authentication, endpoint }: CheckedSettings,
): string | undefined {
  if (authentication === undefined || !isMasked({ authentication })) return authentication?.value;
  if (
    stored !== undefined &&
    stored.authenticationMethodType === authentication.type &&
    stored.authenticationMethodKey === authentication.key &&
    authentication.value === maskedValue(secrets, stored) &&
    isSameEndpoint(stored, endpoint)
  ) {
    return authenticationValue(secrets, stored);
  }
  throw badRequest(
    'authenticationValue is a masked form, which keeps the stored secret only while endpoint, authenticationMethodType and authenticationMethodKey stay as they are; send the secret itself.',
  );
}

/** The entry of the audit log about secrets, without their values. */
function noteOf(checked: CheckedSettings): string | undefined {
  const wasSent = !isMasked(checked);
  if (wasSent && checked.rotates) return String(sentence`The secret was sent again. The signing secret was rotated.`);
  if (wasSent) return String(sentence`The secret was sent again.`);
  return checked.rotates ? String(sentence`The signing secret was rotated.`) : undefined;
}

/** Whether the request has no secret, or only its masked form. */
function isMasked({ authentication }: Pick<CheckedSettings, 'authentication'>): boolean {
  return authentication === undefined || authentication.value.startsWith(MASK);
}

/**
 * The masked secret is valid only for the same endpoint. Otherwise a user with the right to write settings could send the unreadable secret
 * to another receiver. Path and query count too: on a shared host they identify the receiver.
 */
function isSameEndpoint(stored: StoredConfiguration, endpoint: string): boolean {
  return new URL(stored.endpoint).href === new URL(endpoint).href;
}
