import type { HandlerContext } from '@connectrpc/connect';
import type { EmitTriggerRequest, EmitTriggerResponse } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { afterResponse } from '../kernel/after-response.ts';
import type { Emitter } from './emitter.ts';

/** Applies one event and answers when it is committed: proto TriggerService.EmitTrigger. */
export async function emitTrigger(
  emitter: Emitter,
  request: EmitTriggerRequest,
  context: HandlerContext,
): Promise<EmitTriggerResponse> {
  const { response, replayed, answered } = await emitter.emit(principalOf(context).clientId, request.trigger!);
  if (replayed) context.responseHeader.set('Idempotency-Replayed', 'true');
  afterResponse(context, answered);
  return response;
}
