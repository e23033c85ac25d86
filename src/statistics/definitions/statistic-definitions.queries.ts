import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { STATISTIC_DEFINITION } from './statistic-definition-message.ts';
import { type StatisticDefinitionEntity, statisticDefinitionTable } from './statistic-definition.entity.ts';

/** A definition as it is read. */
export type DefinedStatistic = RowOf<typeof STATISTIC_DEFINITION>;

/** All statistics of the client, by code. */
export function statisticDefinitions(uow: UnitOfWork): Promise<DefinedStatistic[]> {
  return uow.query<DefinedStatistic>(
    `select ${STATISTIC_DEFINITION} from statistic_definition where client_id = $1 order by code`,
    [uow.clientId],
  );
}

/** The statistics that count events of a code. */
export async function statisticsOfCode(uow: UnitOfWork, programmaticCode: string): Promise<Uses> {
  const definitions = await statisticDefinitions(uow);
  return definitions
    .filter((definition) => definition.programmaticCode === programmaticCode)
    .map(({ code }) => sentence`statistic '${code}'`);
}

/**
 * One definition; `forChange` locks it until the transaction ends.
 * @throws DomainError `STATISTIC_DEFINITION_NOT_FOUND`
 */
export async function requireStatisticDefinition(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<StatisticDefinitionEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const definition = await uow.em.findOne(statisticDefinitionTable, key, lock);
  if (definition) return definition;
  throw new DomainError('STATISTIC_DEFINITION_NOT_FOUND', sentence`There is no statistic with the id ${id}.`);
}
