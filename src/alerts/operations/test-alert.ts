import { enumToJson, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AlertChannel_KindSchema,
  type TestAlertRequest,
  type TestAlertResponseSchema,
} from '../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { requireClient } from '../../clients/visible-client.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { newId } from '../../kernel/ids.ts';
import { findSetting } from '../alerts.queries.ts';
import type { ChannelKind } from '../channel-kind.ts';
import { sendAlert } from '../delivery/send-alert.ts';
import { isSetUp } from '../claim-due-alerts.ts';
import type { AlertOptions } from './alert-options.ts';

/** Sends a trial message and returns its result: proto AlertAdminService.TestAlert. */
export async function testAlert(
  { db, principal }: Call,
  request: TestAlertRequest,
  options: AlertOptions,
): Promise<MessageInitShape<typeof TestAlertResponseSchema>> {
  const kind = enumToJson(AlertChannel_KindSchema, request.channel) as ChannelKind;
  const { setting, client } = await db.unitOfWork(principal.clientId, async (uow) => {
    const client = await requireClient(uow);
    return { setting: await findSetting(uow), client };
  });
  if (setting === undefined || !isSetUp(setting, kind))
    throw badRequest(
      kind === 'WEBHOOK'
        ? sentence`channel WEBHOOK is not set up: store an endpoint by PUT /admin/alert-settings first.`
        : sentence`channel EMAIL is not set up: store recipients by PUT /admin/alert-settings first.`,
    );
  const { sent, error } = await sendAlert(options, kind, setting, { id: `alert_${newId()}`, client, causes: [] });
  return { result: { success: sent && error === undefined, ...(error !== undefined && { error }) } };
}
