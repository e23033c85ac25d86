import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  EventDefinitionAdminService,
  type UpdateEventDefinitionRequest,
  type UpdateEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinitionSchema } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { bumpCatalogVersion, holdCatalog } from '../../clients/catalog-version.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Database } from '../../persistence/database.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';

/** Replaces the texts of an event definition: proto EventDefinitionAdminService.UpdateEventDefinition. */
export function updateEventDefinition(
  db: Database,
  principal: Principal,
  { id, version, name, description }: UpdateEventDefinitionRequest,
): Promise<MessageInitShape<typeof UpdateEventDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    await holdCatalog(uow);
    const definition = await requireEventDefinition(uow, id, { forChange: true });
    await requireVersion(uow, EventDefinitionSchema, definition, version);
    const before = toEventDefinitionMessage(definition);
    uow.em.assign(definition, { name, description, version: definition.version + 1 });
    await uow.em.flush();
    await bumpCatalogVersion(uow);
    const after = toEventDefinitionMessage(definition);
    const operation = EventDefinitionAdminService.method.updateEventDefinition;
    await recordChange(uow, principal, { operation, schema: EventDefinitionSchema, id: definition.id, before, after });
    return { eventDefinition: after };
  });
}
