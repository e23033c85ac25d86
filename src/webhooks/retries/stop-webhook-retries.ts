import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type StopWebhookRetriesRequest,
  type StopWebhookRetriesResponseSchema,
  WebhookAdminService,
} from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { WebhookRetriesSchema } from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { lockReceiver, receiverKey } from '../configuration/receiver.ts';
import { endpointNotFound } from '../endpoints/require-endpoint.ts';
import { endRetries } from './retry.queries.ts';

/** Ends the waiting retries of one webhook or endpoint: proto WebhookAdminService.StopWebhookRetries. */
export function stopWebhookRetries(
  { db, principal }: Call,
  request: StopWebhookRetriesRequest,
): Promise<MessageInitShape<typeof StopWebhookRetriesResponseSchema>> {
  const receiver = receiverKey(request);
  const named = { type: request.type || undefined, endpointId: request.endpointId };
  return db.unitOfWork(principal.clientId, async (uow) => {
    const configurationId = await lockReceiver(uow, receiver);
    if (configurationId === undefined) {
      if (request.endpointId !== undefined) throw endpointNotFound(request.endpointId);
      return { stopped: 0 };
    }
    const stopped = await endRetries(uow, configurationId);
    if (stopped > 0) {
      await recordChange(uow, principal, {
        operation: WebhookAdminService.method.stopWebhookRetries,
        schema: WebhookRetriesSchema,
        id: receiver,
        before: { ...named, waiting: stopped },
        after: { ...named, waiting: 0 },
      });
    }
    return { stopped };
  });
}
