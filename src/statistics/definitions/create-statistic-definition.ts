import type { MessageInitShape } from '@bufbuild/protobuf';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import {
  type CreateStatisticDefinitionRequest,
  type CreateStatisticDefinitionResponseSchema,
  StatisticDefinitionAdminService,
} from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { StatisticDefinitionSchema } from '../../../gen/laurel/v1/statistic_pb.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { beforePast, WITHOUT_PAST } from './past-events.queries.ts';
import { toStatisticDefinitionMessage } from './statistic-definition-message.ts';
import { type StatisticDefinitionEntity, statisticDefinitionTable } from './statistic-definition.entity.ts';
import { statisticDefinitions } from './statistic-definitions.queries.ts';
import { contentOf, type EventDeclarations, requireCountable } from './statistic-draft.ts';

/** The most statistics of a client: each event is checked against those of its code. */
const STATISTICS_MAX = 100;

/** The reads of modules above. */
export type ReadersOfEvents = {
  readonly declarations: EventDeclarations;
  /** The time of the journal's oldest entry; undefined without one. */
  readonly oldestEntryAt: (uow: UnitOfWork) => Promise<Date | undefined>;
};

/** Creates a statistic: proto StatisticDefinitionAdminService.CreateStatisticDefinition. */
export async function createStatisticDefinition(
  { db, principal, now }: Call,
  request: CreateStatisticDefinitionRequest,
  { declarations, oldestEntryAt }: ReadersOfEvents,
): Promise<MessageInitShape<typeof CreateStatisticDefinitionResponseSchema>> {
  const content = contentOf(request.statisticDefinition!);
  const operation = StatisticDefinitionAdminService.method.createStatisticDefinition;
  const change = { operation, schema: StatisticDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    await requireCountable(uow, content, declarations);
    if ((await statisticDefinitions(uow)).length >= STATISTICS_MAX)
      throw new DomainError(
        'TOO_MANY_STATISTIC_DEFINITIONS',
        sentence`The client has ${STATISTICS_MAX} statistics, the most that it may have. Delete one first.`,
      );
    const { countsPastEvents = false } = content;
    const past = countsPastEvents ? await beforePast(uow, await oldestEntryAt(uow), now) : WITHOUT_PAST;
    const created = { ...content, countsPastEvents, ...past, clientId: uow.clientId, id: newId(), createdAt: now };
    const definition = uow.em.create(statisticDefinitionTable, created) as StatisticDefinitionEntity;
    await uow.em.flush().catch((error: unknown) => {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new DomainError(
        'STATISTIC_DEFINITION_ALREADY_EXISTS',
        sentence`There is a statistic '${content.code}' already. Send another code.`,
      );
    });
    return { id: definition.id, after: toStatisticDefinitionMessage(definition) };
  });
  return { statisticDefinition: after };
}
