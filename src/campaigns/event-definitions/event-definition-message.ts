import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventDefinition_Type, type EventDefinitionSchema } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { toAttributeMessage } from '../../attributes/attribute-definition.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type EventDefinitionEntity, eventDefinitionTable } from './event-definition.entity.ts';

/** The API message of an event definition. */
export const EVENT_DEFINITION = propertiesOf(eventDefinitionTable, [
  'id',
  'programmaticCode',
  'type',
  'name',
  'description',
  'attributes',
  'version',
  'createdAt',
  'updatedAt',
]);

/** An event definition as operators see it. Integrators see its code and type only. */
export function toEventDefinitionMessage(
  definition: PartOf<EventDefinitionEntity, typeof EVENT_DEFINITION>,
): MessageInitShape<typeof EventDefinitionSchema> {
  return {
    id: definition.id,
    programmaticCode: definition.programmaticCode,
    type: EventDefinition_Type[definition.type],
    name: definition.name,
    description: definition.description,
    attributes: definition.attributes.map(toAttributeMessage),
    version: definition.version,
    createdAt: timestampFromDate(definition.createdAt),
    updatedAt: timestampFromDate(definition.updatedAt),
  };
}
