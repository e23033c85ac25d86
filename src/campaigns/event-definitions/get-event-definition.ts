import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetEventDefinitionRequest,
  GetEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';

/** Gives one event definition: proto EventDefinitionAdminService.GetEventDefinition. */
export function getEventDefinition(
  db: Database,
  principal: Principal,
  { id }: GetEventDefinitionRequest,
): Promise<MessageInitShape<typeof GetEventDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    eventDefinition: toEventDefinitionMessage(await requireEventDefinition(uow, id)),
  }));
}
