import type { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { createEventDefinition } from './create-event-definition.ts';
import { deleteEventDefinition } from './delete-event-definition.ts';
import { getEventDefinition } from './get-event-definition.ts';
import { listEventDefinitionPage } from './list-event-definition-page.ts';
import { updateEventDefinition } from './update-event-definition.ts';

/** The operations on one client's event definitions. */
export const eventDefinitionAdminService = {
  createEventDefinition,
  getEventDefinition,
  updateEventDefinition,
  deleteEventDefinition,
  listEventDefinitions: listEventDefinitionPage,
} satisfies Handlers<typeof EventDefinitionAdminService>;
