import { LockMode } from '@mikro-orm/core';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import { declarationOf, type EventDeclaration } from '../../engine/missions/event-expression.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { levelTracks } from '../../levels/tracks/level-tracks.queries.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type EventDefinitionEntity, eventDefinitionTable } from './event-definition.entity.ts';

/** All event definitions of the client, by code. */
export function allEventDefinitions(uow: UnitOfWork): Promise<EventDefinitionEntity[]> {
  return uow.em.find(
    eventDefinitionTable,
    { clientId: uow.clientId },
    { orderBy: { programmaticCode: 'asc' }, disableIdentityMap: true },
  );
}

/** The declarations of the client's events, by code. */
export type EventDeclarations = ReadonlyMap<string, EventDeclaration>;

/** The type, attributes and names in expressions of the events of each code. */
export async function eventDeclarations(uow: UnitOfWork): Promise<EventDeclarations> {
  const [definitions, accounts, statistics, tracks] = await Promise.all([
    allEventDefinitions(uow),
    declaredAttributes(uow),
    statisticDefinitions(uow),
    levelTracks(uow),
  ]);
  return new Map(
    definitions.map(({ programmaticCode, type, attributes }) => [
      programmaticCode,
      declarationOf(type, attributes, accounts.attributes, { statistics, tracks }),
    ]),
  );
}

/**
 * One event definition; `forChange` locks it until the transaction ends.
 * @throws DomainError `EVENT_DEFINITION_NOT_FOUND`
 */
export async function requireEventDefinition(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<EventDefinitionEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const definition = await uow.em.findOne(eventDefinitionTable, key, lock);
  if (!definition)
    throw new DomainError('EVENT_DEFINITION_NOT_FOUND', sentence`There is no event definition with the id ${id}.`);
  return definition;
}
