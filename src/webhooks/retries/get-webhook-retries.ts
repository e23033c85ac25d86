import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetWebhookRetriesResponseSchema } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toWebhookRetriesMessage } from '../delivery/delivery-message.ts';
import { retrySummaries } from './retry.queries.ts';

/** Counts what waits for a retry: proto WebhookAdminService.GetWebhookRetries. */
export function getWebhookRetries({
  db,
  principal,
}: Call): Promise<MessageInitShape<typeof GetWebhookRetriesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const summaries = await retrySummaries(uow);
    return { webhooks: summaries.map(toWebhookRetriesMessage) };
  });
}
