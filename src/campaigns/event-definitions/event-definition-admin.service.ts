import type { ServiceImpl } from '@connectrpc/connect';
import type { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { createEventDefinition } from './create-event-definition.ts';
import { deleteEventDefinition } from './delete-event-definition.ts';
import { getEventDefinition } from './get-event-definition.ts';
import { listEventDefinitionPage } from './list-event-definition-page.ts';
import { updateEventDefinition } from './update-event-definition.ts';

/** The catalogue of event definitions of one client. */
export function eventDefinitionAdminService(db: Database) {
  return {
    createEventDefinition: (request, context) => createEventDefinition(db, principalOf(context), request),
    getEventDefinition: (request, context) => getEventDefinition(db, principalOf(context), request),
    updateEventDefinition: (request, context) => updateEventDefinition(db, principalOf(context), request),
    deleteEventDefinition: (request, context) => deleteEventDefinition(db, principalOf(context), request),
    listEventDefinitions: (request, context) => listEventDefinitionPage(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof EventDefinitionAdminService>;
}
