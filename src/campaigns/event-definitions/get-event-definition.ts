import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetEventDefinitionRequest,
  GetEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';

/** Gives one event definition: proto EventDefinitionAdminService.GetEventDefinition. */
export function getEventDefinition(
  { db, principal }: Call,
  { id }: GetEventDefinitionRequest,
): Promise<MessageInitShape<typeof GetEventDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    eventDefinition: toEventDefinitionMessage(await requireEventDefinition(uow, id)),
  }));
}
