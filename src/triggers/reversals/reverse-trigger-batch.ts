import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TriggerReversal, TriggerReversalResultSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import {
  type ReverseTriggerBatchRequest,
  type ReverseTriggerBatchResponseSchema,
  type ReverseTriggerResponse,
  ReverseTriggerResponseSchema,
} from '../../../gen/laurel/v1/trigger_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { amongRefusals, DomainError, isGranted } from '../../kernel/errors/domain-error.ts';
import { itemErrorOf } from '../../kernel/errors/item-error.ts';
import { itemFaultOf } from '../../kernel/errors/item-faults.ts';
import type { ReversalBatcher } from './reversal-batcher.ts';
import { type Reversal, reversalKey, reversalOf } from './reversal.ts';

/** Takes events back and answers each by its own result or error: proto TriggerService.ReverseTriggerBatch. */
export async function reverseTriggerBatch(
  call: Call,
  { reversals: requests }: ReverseTriggerBatchRequest,
  reversals: ReversalBatcher,
): Promise<MessageInitShape<typeof ReverseTriggerBatchResponseSchema>> {
  const checked = requests.map(checkedReversal);
  const items = checked.filter(isGranted).map((work) => ({ key: reversalKey(work), work }));
  const answers = await reversals.submitTogether(call, ReverseTriggerResponseSchema, items);
  return { results: amongRefusals(checked, answers).map(resultOf) };
}

/** The reversal of an item, or its fault. */
function checkedReversal(request: TriggerReversal): Reversal | DomainError {
  try {
    return itemFaultOf(request) ?? reversalOf(request);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function resultOf(answer: ReverseTriggerResponse | DomainError): MessageInitShape<typeof TriggerReversalResultSchema> {
  if (!(answer instanceof DomainError)) return { outcome: { case: 'result', value: answer.reversed! } };
  return { outcome: { case: 'error', value: itemErrorOf(answer) } };
}
