import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type BatchTriggerResult, BatchTriggerResultSchema } from '../../gen/laurel/v1/trigger_pb.ts';
import {
  type EmitTriggerBatchRequest,
  type EmitTriggerBatchResponse,
  EmitTriggerBatchResponseSchema,
} from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { itemErrorOf } from '../kernel/errors/item-error.ts';
import { itemFaultOf } from '../kernel/errors/item-faults.ts';
import { inTimeSlices, type Steps } from '../kernel/concurrency/time-slices.ts';
import type { Emission } from './batch-runner.ts';
import type { Emitter } from './emitter.ts';

/**
 * Applies events in order and answers each with its own result or error: proto TriggerService.EmitTriggerBatch. A malformed event gets its
 * error and has no effect.
 */
export async function emitTriggerBatch(
  call: Call,
  { triggers }: EmitTriggerBatchRequest,
  emitter: Emitter,
): Promise<EmitTriggerBatchResponse> {
  const sound = triggers.filter((trigger) => itemFaultOf(trigger) === undefined);
  const applied = (await emitter.emitInOrder(call.principal.clientId, sound))[Symbol.iterator]();
  const emissions = triggers.map((trigger) => itemFaultOf(trigger) ?? applied.next().value!);
  call.afterResponse(() => {
    for (const emission of emissions) if (!(emission instanceof Error)) emission.afterAnswer();
  });
  return create(EmitTriggerBatchResponseSchema, { results: await inTimeSlices(batchResults(emissions)) });
}

/** Results in one step. */
const RESULTS_PER_STEP = 50;

function* batchResults(emissions: ReadonlyArray<Emission | Error>): Steps<BatchTriggerResult[]> {
  const results: BatchTriggerResult[] = [];
  for (const emission of emissions) {
    results.push(create(BatchTriggerResultSchema, batchResult(emission)));
    if (results.length % RESULTS_PER_STEP === 0) yield;
  }
  return results;
}

function batchResult(emission: Emission | Error): MessageInitShape<typeof BatchTriggerResultSchema> {
  if (!(emission instanceof Error)) {
    const { progressedMissions, rewards, pendingRewards, skippedRewards } = emission.response;
    return { outcome: { case: 'result', value: { progressedMissions, rewards, pendingRewards, skippedRewards } } };
  }
  // An unexpected error fails the whole call, which is logged in full and may be repeated.
  if (!(emission instanceof DomainError)) throw emission;
  return { outcome: { case: 'error', value: itemErrorOf(emission) } };
}
