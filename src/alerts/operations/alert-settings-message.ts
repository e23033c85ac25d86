import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AlertChannel_Kind,
  type AlertChannelSchema,
  type AlertSettings,
  AlertSettings_Language,
  type AlertSettingsSchema,
} from '../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { Cause_Kind } from '../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { StoredChannel, StoredSetting } from '../alerts.queries.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { isSetUp } from '../claim-due-alerts.ts';
import { clockText } from '../quiet-hours.ts';

/** The fields of the message, as a plain object to which a caller can add more. */
export type SettingsInit = Exclude<MessageInitShape<typeof AlertSettingsSchema>, AlertSettings>;

/** The settings for the API and the audit log, without the secret. */
export function toAlertSettingsMessage(stored: StoredSetting | undefined): SettingsInit {
  if (stored === undefined) return { language: AlertSettings_Language.EN };
  const { quietFrom, quietTo, quietZone, endpoint, reminderHours } = stored;
  const isEverQuiet = quietFrom !== null && quietTo !== null && quietZone !== null;
  return {
    ...(endpoint !== null && { endpoint }),
    recipients: [...stored.recipients],
    causes: stored.causes.map((kind) => Cause_Kind[kind]),
    language: AlertSettings_Language[stored.language],
    ...(isEverQuiet && {
      quietHours: { timeFrom: clockText(quietFrom), timeTo: clockText(quietTo), timeZone: quietZone },
    }),
    ...(reminderHours !== null && { reminderHours }),
    version: stored.version,
    updatedAt: timestampFromDate(stored.updatedAt),
  };
}

/** The state of each configured channel; a channel without attempts has only its kind. */
export function toChannelMessages(
  setting: StoredSetting | undefined,
  channels: readonly StoredChannel[],
): MessageInitShape<typeof AlertChannelSchema>[] {
  if (setting === undefined) return [];
  return CHANNEL_KINDS.filter((kind) => isSetUp(setting, kind)).map((kind) => {
    const stored = channels.find((channel) => channel.kind === kind);
    const at = (moment: Date | null | undefined) => (moment ? timestampFromDate(moment) : undefined);
    return {
      kind: AlertChannel_Kind[kind],
      lastSentAt: at(stored?.lastSentAt),
      failingSince: at(stored?.failingSince),
      failures: stored?.failures ?? 0,
      nextAttemptAt: at(stored?.nextAttemptAt),
      ...(stored?.lastError && { error: stored.lastError }),
    };
  });
}
