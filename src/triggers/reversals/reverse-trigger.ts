import {
  type ReverseTriggerRequest,
  type ReverseTriggerResponse,
  ReverseTriggerResponseSchema,
} from '../../../gen/laurel/v1/trigger_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { ReversalBatcher } from './reversal-batcher.ts';
import { reversalKey, reversalOf } from './reversal.ts';

/** Takes an event back, whole or in part: proto TriggerService.ReverseTrigger. */
export function reverseTrigger(
  call: Call,
  request: ReverseTriggerRequest,
  reversals: ReversalBatcher,
): Promise<ReverseTriggerResponse> {
  const reversal = reversalOf(request.reversal!);
  return reversals.submit(call, reversalKey(reversal), ReverseTriggerResponseSchema, reversal);
}
