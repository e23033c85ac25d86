import { create, type Message } from '@bufbuild/protobuf';
import { ReverseTriggerResponseSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import { type CallBatcher, type CallBatcherOptions, createCallBatcher } from '../../idempotency/call-batcher.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../../webhooks/delivery/wake-after.ts';
import type { Reversal } from './reversal.ts';
import { reverseTriggers } from './reverse-triggers.ts';

/** Reverses events by group commit. */
export type ReversalBatcher = CallBatcher<Reversal>;

/** The dependencies of reversals. */
export type ReversalBatcherOptions = Omit<CallBatcherOptions<Reversal>, 'run'> & {
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
};

/** The batcher of reversals of this process. */
export function createReversalBatcher({ catalogs, dispatcher, ...options }: ReversalBatcherOptions): ReversalBatcher {
  return createCallBatcher<Reversal>({
    ...options,
    async run(uow, reversals, times) {
      const outcomes = await reverseTriggers(uow, await catalogs(uow), reversals, times);
      const answers = outcomes.map((outcome): Message | DomainError =>
        outcome instanceof DomainError ? outcome : create(ReverseTriggerResponseSchema, { reversed: outcome }),
      );
      return { answers, afterAnswers: wakeAfter(uow, dispatcher) };
    },
  });
}
