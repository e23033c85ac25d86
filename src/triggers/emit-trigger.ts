import type { EmitTriggerRequest, EmitTriggerResponse } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { Emitter } from './emitter.ts';

/** Applies one event and answers when it is committed: proto TriggerService.EmitTrigger. */
export async function emitTrigger(
  call: Call,
  request: EmitTriggerRequest,
  emitter: Emitter,
): Promise<EmitTriggerResponse> {
  const { response, replayed, afterAnswer } = await emitter.emit(call.principal.clientId, request.trigger!);
  if (replayed) call.markReplayed();
  call.afterResponse(afterAnswer);
  return response;
}
