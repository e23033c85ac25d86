import type { UnitOfWork } from '../persistence/database.ts';
import { type EventDefinitionEntity, eventDefinitionTable } from './event-definition.entity.ts';

/** The client's whole catalogue of events, by code. */
export function allEventDefinitions(uow: UnitOfWork): Promise<EventDefinitionEntity[]> {
  return uow.em.find(
    eventDefinitionTable,
    { clientId: uow.clientId },
    { orderBy: { programmaticCode: 'asc' }, disableIdentityMap: true },
  );
}

/** The type of each code of the catalogue. */
export async function eventTypes(uow: UnitOfWork): Promise<Map<string, EventDefinitionEntity['type']>> {
  const definitions = await allEventDefinitions(uow);
  return new Map(definitions.map((definition) => [definition.programmaticCode, definition.type]));
}
