import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  EmitTriggerAsyncRequest,
  EmitTriggerAsyncResponseSchema,
} from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { Inbox } from './inbox/inbox.ts';

/** Accepts one event and answers when it is stored; it is applied after the answer: proto TriggerService.EmitTriggerAsync. */
export async function emitTriggerAsync(
  call: Call,
  request: EmitTriggerAsyncRequest,
  inbox: Inbox,
): Promise<MessageInitShape<typeof EmitTriggerAsyncResponseSchema>> {
  const { clientId } = call.principal;
  const { repeated } = await inbox.accept(clientId, request.trigger!);
  if (repeated) call.markReplayed();
  call.afterResponse(() => inbox.wake(clientId));
  return {};
}
