import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetAlertSettingsRequest,
  GetAlertSettingsResponseSchema,
} from '../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { channelsOf, findSetting } from '../alerts.queries.ts';
import type { AlertOptions } from './alert-options.ts';
import { toAlertSettingsMessage, toChannelMessages } from './alert-settings-message.ts';

/** Returns the alert settings and the state of the channels: proto AlertAdminService.GetAlertSettings. */
export function getAlertSettings(
  { db, principal }: Call,
  _request: GetAlertSettingsRequest,
  { mailer }: AlertOptions,
): Promise<MessageInitShape<typeof GetAlertSettingsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const stored = await findSetting(uow);
    const channels = toChannelMessages(stored, await channelsOf(uow));
    return { settings: { ...toAlertSettingsMessage(stored), channels, emailAvailable: mailer !== undefined } };
  });
}
