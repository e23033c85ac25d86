import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListWebhookRetriesResponseSchema } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toWebhookRetriesMessage } from '../delivery/delivery-message.ts';
import { retrySummaries } from './retry.queries.ts';

/** Counts the messages that wait for a retry: proto WebhookAdminService.ListWebhookRetries. */
export function listWebhookRetries({
  db,
  principal,
}: Call): Promise<MessageInitShape<typeof ListWebhookRetriesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const summaries = await retrySummaries(uow);
    return { rows: summaries.map(toWebhookRetriesMessage) };
  });
}
