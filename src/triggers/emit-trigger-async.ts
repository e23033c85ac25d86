import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  EmitTriggerAsyncRequest,
  EmitTriggerAsyncResponseSchema,
} from '../../gen/laurel/v1/trigger_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { afterResponse } from '../kernel/after-response.ts';
import type { Inbox } from './inbox/inbox.ts';

/** Accepts one event and answers when it is stored; it is applied after the answer: proto TriggerService.EmitTriggerAsync. */
export async function emitTriggerAsync(
  inbox: Inbox,
  request: EmitTriggerAsyncRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof EmitTriggerAsyncResponseSchema>> {
  const { clientId } = principalOf(context);
  const { repeated } = await inbox.accept(clientId, request.trigger!);
  if (repeated) context.responseHeader.set('Idempotency-Replayed', 'true');
  afterResponse(context, () => inbox.wake(clientId));
  return {};
}
