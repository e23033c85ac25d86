import type { ServiceImpl } from '@connectrpc/connect';
import type { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { listEventDefinitions } from '../campaigns/event-definitions/list-event-definitions.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { emitTriggerAsync } from './emit-trigger-async.ts';
import { emitTriggerBatch } from './emit-trigger-batch.ts';
import { emitTrigger } from './emit-trigger.ts';
import type { Emitter } from './emitter.ts';
import type { Inbox } from './inbox/inbox.ts';
import { simulateTrigger } from './simulate-trigger.ts';

/** What the operations of this module need. */
export type TriggersOptions = {
  readonly db: Database;
  readonly emitter: Emitter;
  readonly inbox: Inbox;
  readonly catalogs: Catalogs;
  readonly clock: Clock;
};

/** What the integrator's platform tells the service. */
export function triggersService({ db, emitter, inbox, catalogs, clock }: TriggersOptions) {
  return {
    listEventDefinitions: (_request, context) => listEventDefinitions(db, principalOf(context)),
    emitTrigger: (request, context) => emitTrigger(emitter, request, context),
    emitTriggerAsync: (request, context) => emitTriggerAsync(inbox, request, context),
    simulateTrigger: (request, context) => simulateTrigger(db, catalogs, principalOf(context), request, clock),
    emitTriggerBatch: (request, context) => emitTriggerBatch(emitter, request, context),
  } satisfies ServiceImpl<typeof TriggerService>;
}
