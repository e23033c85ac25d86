import { enumToJson, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AlertAdminService,
  AlertSettings_LanguageSchema,
  AlertSettingsSchema,
  type PutAlertSettingsRequest,
  type PutAlertSettingsResponseSchema,
} from '../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { Cause_KindSchema } from '../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { checkedTimeZone } from '../../clients/checked-time-zone.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { CauseKind } from '../../activity/causes.ts';
import { checkEndpoint } from '../../webhooks/configuration/webhook-settings.ts';
import { newSigningSecret } from '../../webhooks/delivery/webhook-signature.ts';
import { channelsOf, lockSetting, resetChannels, type SettingContent, storeSetting } from '../alerts.queries.ts';
import type { ChannelKind } from '../channel-kind.ts';
import { alertSecretOwner } from '../delivery/alert-target.ts';
import { minutesOf } from '../quiet-hours.ts';
import type { AlertOptions } from './alert-options.ts';
import { toAlertSettingsMessage, toChannelMessages } from './alert-settings-message.ts';

/** Replaces the alert settings: proto AlertAdminService.PutAlertSettings. */
export async function putAlertSettings(
  { db, principal, now }: Call,
  request: PutAlertSettingsRequest,
  options: AlertOptions,
): Promise<MessageInitShape<typeof PutAlertSettingsResponseSchema>> {
  const { clientId } = principal;
  const content = checkedContent(request, options);
  const newSecret = newSigningSecret();
  return db.unitOfWork(clientId, async (uow) => {
    const earlier = await lockSetting(uow);
    await requireVersion(uow, AlertSettingsSchema, { id: clientId, version: earlier?.version ?? 0 }, request.version);
    const { endpoint } = content;
    const isNew = endpoint !== null && (earlier?.signingSecretSealed == null || request.rotateSigningSecret);
    const owner = alertSecretOwner(clientId);
    const kept = endpoint === null ? null : (earlier?.signingSecretSealed ?? null);
    const signingSecretSealed = isNew ? options.secrets.seal(newSecret, owner) : kept;
    const version = request.version + 1;
    const stored = await storeSetting(uow, { ...content, signingSecretSealed }, { version, now });
    if (stored === undefined) {
      // Another call has stored the first settings at this moment.
      const other = await lockSetting(uow);
      await requireVersion(uow, AlertSettingsSchema, { id: clientId, version: other?.version ?? 1 }, request.version);
    }
    await resetChannels(uow, movedChannels(earlier, content));
    const after = toAlertSettingsMessage(stored);
    await recordChange(uow, principal, {
      operation: AlertAdminService.method.putAlertSettings,
      schema: AlertSettingsSchema,
      id: clientId,
      before: earlier && toAlertSettingsMessage(earlier),
      after,
      note: isNew && earlier?.signingSecretSealed ? String(sentence`The signing secret was rotated.`) : undefined,
    });
    const channels = toChannelMessages(stored, await channelsOf(uow));
    const emailAvailable = options.mailer !== undefined;
    return { settings: { ...after, channels, emailAvailable, ...(isNew && { signingSecret: newSecret }) } };
  });
}

/** @throws DomainError `BAD_REQUEST` */
function checkedContent(
  request: PutAlertSettingsRequest,
  { mailer, allowPrivate }: AlertOptions,
): Omit<SettingContent, 'signingSecretSealed'> {
  const { endpoint, recipients, quietHours, reminderHours, rotateSigningSecret } = request;
  if (endpoint !== undefined) checkAlertEndpoint(endpoint, allowPrivate);
  else if (rotateSigningSecret)
    throw badRequest(
      'rotateSigningSecret makes a new secret for the webhook: send an endpoint with it, or leave it out.',
    );
  if (recipients.length > 0 && mailer === undefined)
    throw badRequest(
      'recipients need a mail server, which this service has none of: leave them out, or have the operator set LAUREL_SMTP_URL.',
    );
  if (quietHours !== undefined && quietHours.timeFrom === quietHours.timeTo)
    throw badRequest(
      'quietHours.timeTo must be another minute than quietHours.timeFrom. Leave quietHours out to be told always.',
    );
  const language = enumToJson(AlertSettings_LanguageSchema, request.language);
  return {
    endpoint: endpoint ?? null,
    recipients,
    causes: request.causes.map((kind) => enumToJson(Cause_KindSchema, kind) as CauseKind),
    language: language === 'ES' ? 'ES' : 'EN',
    quietFrom: quietHours === undefined ? null : minutesOf(quietHours.timeFrom),
    quietTo: quietHours === undefined ? null : minutesOf(quietHours.timeTo),
    quietZone: quietHours === undefined ? null : checkedTimeZone(quietHours.timeZone),
    reminderHours: reminderHours ?? null,
  };
}

/** Alerts are confidential and need TLS; within a private network the operator may allow plain http. */
function checkAlertEndpoint(endpoint: string, allowPrivate: boolean): void {
  checkEndpoint(endpoint, allowPrivate);
  if (!allowPrivate && new URL(endpoint).protocol !== 'https:')
    throw badRequest('endpoint must begin with https://: alerts go over no other protocol.');
}

/** The channels with a changed address. */
function movedChannels(
  earlier: Pick<SettingContent, 'endpoint' | 'recipients'> | undefined,
  now: Pick<SettingContent, 'endpoint' | 'recipients'>,
): ChannelKind[] {
  if (earlier === undefined) return [];
  return [
    ...(earlier.endpoint === now.endpoint ? [] : ['WEBHOOK' as const]),
    ...(isSameUnordered(earlier.recipients, now.recipients) ? [] : ['EMAIL' as const]),
  ];
}

/** Whether two lists without repetitions have the same elements, in any order. */
function isSameUnordered(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && new Set(one).isSubsetOf(new Set(other));
}
