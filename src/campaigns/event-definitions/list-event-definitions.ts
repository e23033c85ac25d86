import type { MessageInitShape } from '@bufbuild/protobuf';
import { EventDefinition_Type } from '../../../gen/laurel/v1/event_definition_pb.ts';
import type { ListEventDefinitionsResponseSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { toAttributeMessage } from '../../attributes/attribute-definition.ts';
import type { Call } from '../../clients/call.ts';
import { allEventDefinitions } from './event-definitions.queries.ts';

/** Returns all event definitions: proto TriggerService.ListEventDefinitions. */
export function listEventDefinitions({
  db,
  principal,
}: Call): Promise<MessageInitShape<typeof ListEventDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const definitions = await allEventDefinitions(uow);
    return {
      eventDefinitions: definitions.map(({ programmaticCode, type, attributes }) => ({
        programmaticCode,
        type: EventDefinition_Type[type],
        attributes: attributes.map(toAttributeMessage),
      })),
    };
  });
}
