import { enumToJson, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type StopWebhookRetriesRequest,
  type StopWebhookRetriesResponseSchema,
  WebhookAdminService,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { WebhookRetriesSchema, WebhookTypeSchema } from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { lockConfiguration } from '../configuration/webhook-configuration.queries.ts';
import type { WebhookType } from '../configuration/webhook-type.ts';
import { endRetries } from './retry.queries.ts';

/** Ends the waiting retries of one webhook: proto WebhookAdminService.StopWebhookRetries. */
export function stopWebhookRetries(
  { db, principal }: Call,
  { type }: StopWebhookRetriesRequest,
): Promise<MessageInitShape<typeof StopWebhookRetriesResponseSchema>> {
  const name = enumToJson(WebhookTypeSchema, type) as WebhookType;
  return db.unitOfWork(principal.clientId, async (uow) => {
    if ((await lockConfiguration(uow, name)) === undefined) return { stopped: 0 };
    const stopped = await endRetries(uow, name);
    if (stopped > 0) {
      await recordChange(uow, principal, {
        operation: WebhookAdminService.method.stopWebhookRetries,
        schema: WebhookRetriesSchema,
        id: name,
        before: { type, waiting: stopped },
        after: { type, waiting: 0 },
      });
    }
    return { stopped };
  });
}
