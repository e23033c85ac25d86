import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  EventDefinitionAdminService,
  type UpdateEventDefinitionRequest,
  type UpdateEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinitionSchema } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { changedAttributes, storedAttributes } from '../../attributes/attribute-definition.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { requireUnusedAttributes } from '../attributes-in-use.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';

/** Replaces the texts and attributes of an event definition: proto EventDefinitionAdminService.UpdateEventDefinition. */
export async function updateEventDefinition(
  { db, principal, clock }: Call,
  { id, version, name, description, attributes }: UpdateEventDefinitionRequest,
): Promise<MessageInitShape<typeof UpdateEventDefinitionResponseSchema>> {
  const change = { operation: EventDefinitionAdminService.method.updateEventDefinition, schema: EventDefinitionSchema };
  const stored = storedAttributes(attributes, 'attributes');
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const definition = await requireEventDefinition(uow, id, { forChange: true });
    await requireVersion(uow, EventDefinitionSchema, definition, version);
    const before = toEventDefinitionMessage(definition);
    const gone = changedAttributes(definition.attributes, stored).map(({ name }) => `event.${name}`);
    await requireUnusedAttributes(uow, gone, clock(), definition.programmaticCode);
    uow.em.assign(definition, { name, description, attributes: stored, version: definition.version + 1 });
    await uow.em.flush();
    const after = toEventDefinitionMessage(definition);
    return { id: definition.id, before, after };
  });
  return { eventDefinition: after };
}
