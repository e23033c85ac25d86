import type { ServiceImpl } from '@connectrpc/connect';
import type { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { listEventDefinitions } from '../campaigns/list-event-definitions.ts';
import { principalOf } from '../clients/principal.ts';
import type { Database } from '../persistence/database.ts';
import { emitTrigger } from './emit-trigger.ts';
import type { Emitter } from './emitter.ts';

/** What the integrator's platform tells the service. */
export function triggersService(db: Database, emitter: Emitter) {
  return {
    listEventDefinitions: (_request, context) => listEventDefinitions(db, principalOf(context)),
    emitTrigger: (request, context) => emitTrigger(emitter, request, context),
  } satisfies Partial<ServiceImpl<typeof TriggerService>>;
}
