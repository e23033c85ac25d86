import type { MessageInitShape } from '@bufbuild/protobuf';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import {
  EventDefinitionAdminService,
  type CreateEventDefinitionRequest,
  type CreateEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_TypeSchema, EventDefinitionSchema } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { storedAttributes } from '../../attributes/attribute-definition.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { type EventDefinitionEntity, eventDefinitionTable } from './event-definition.entity.ts';

/** Adds a code to the catalogue: proto EventDefinitionAdminService.CreateEventDefinition. */
export async function createEventDefinition(
  { db, principal }: Call,
  { programmaticCode, type, name, description, attributes }: CreateEventDefinitionRequest,
): Promise<MessageInitShape<typeof CreateEventDefinitionResponseSchema>> {
  const change = { operation: EventDefinitionAdminService.method.createEventDefinition, schema: EventDefinitionSchema };
  const stored = storedAttributes(attributes, 'attributes');
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const definition = uow.em.create(eventDefinitionTable, {
      clientId: uow.clientId,
      id: newId(),
      programmaticCode,
      type: enumName(EventDefinition_TypeSchema, type)!,
      name: name ?? programmaticCode,
      description,
      attributes: stored,
    }) as EventDefinitionEntity;
    await uow.em.flush().catch((error: unknown) => {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new DomainError(
        'EVENT_DEFINITION_ALREADY_EXISTS',
        sentence`The catalogue has '${programmaticCode}' already. Send another programmaticCode.`,
      );
    });
    const after = toEventDefinitionMessage(definition);
    return { id: definition.id, after };
  });
  return { eventDefinition: after };
}
