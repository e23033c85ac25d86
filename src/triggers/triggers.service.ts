import type { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { listEventDefinitions } from '../campaigns/event-definitions/list-event-definitions.ts';
import type { Handlers } from '../clients/call.ts';
import { type BackfillOptions, backfillTriggers } from './backfill/backfill-triggers.ts';
import { emitTriggerAsync } from './emit-trigger-async.ts';
import { emitTriggerBatch } from './emit-trigger-batch.ts';
import { emitTrigger } from './emit-trigger.ts';
import type { Emitter } from './emitter.ts';
import type { Inbox } from './inbox/inbox.ts';
import { reverseTrigger } from './reversals/reverse-trigger.ts';
import { reverseTriggerBatch } from './reversals/reverse-trigger-batch.ts';
import type { ReversalBatcher } from './reversals/reversal-batcher.ts';
import { simulateTrigger } from './simulation/simulate-trigger.ts';

/** The dependencies of this module's operations. */
export type TriggersOptions = {
  readonly emitter: Emitter;
  readonly inbox: Inbox;
  readonly reversals: ReversalBatcher;
  readonly catalogs: Catalogs;
  readonly backfill: BackfillOptions;
};

/** The operations that receive events from the integrator's platform. */
export function triggersService({ emitter, inbox, reversals, catalogs, backfill }: TriggersOptions) {
  return {
    listEventDefinitions,
    emitTrigger: (call, request) => emitTrigger(call, request, emitter),
    emitTriggerAsync: (call, request) => emitTriggerAsync(call, request, inbox),
    reverseTrigger: (call, request) => reverseTrigger(call, request, reversals),
    reverseTriggerBatch: (call, request) => reverseTriggerBatch(call, request, reversals),
    simulateTrigger: (call, request) => simulateTrigger(call, request, catalogs),
    emitTriggerBatch: (call, request) => emitTriggerBatch(call, request, emitter),
    backfillTriggers: (call, request) => backfillTriggers(call, request, backfill),
  } satisfies Handlers<typeof TriggerService>;
}
