import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeleteStatisticDefinitionRequest,
  type DeleteStatisticDefinitionResponseSchema,
  StatisticDefinitionAdminService,
} from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { StatisticDefinitionSchema } from '../../../gen/laurel/v1/statistic_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { statisticName } from '../../engine/statistics/statistic-variables.ts';
import { requireUnused, type Uses } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { deletedStatisticTable } from './deleted-statistic.entity.ts';
import { toStatisticDefinitionMessage } from './statistic-definition-message.ts';
import { requireStatisticDefinition } from './statistic-definitions.queries.ts';

/** The expressions and the level tracks of all modules that use a name, in words. */
export type UsesOfNames = (uow: UnitOfWork, names: readonly string[], now: Date) => Promise<Uses>;

/** Removes a statistic; housekeeping removes its values: proto StatisticDefinitionAdminService.DeleteStatisticDefinition. */
export async function deleteStatisticDefinition(
  { db, principal, now }: Call,
  { id, version }: DeleteStatisticDefinitionRequest,
  usesOfNames: UsesOfNames,
): Promise<MessageInitShape<typeof DeleteStatisticDefinitionResponseSchema>> {
  const operation = StatisticDefinitionAdminService.method.deleteStatisticDefinition;
  const change = { operation, schema: StatisticDefinitionSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const definition = await requireStatisticDefinition(uow, id, { forChange: true });
    await requireVersion(uow, StatisticDefinitionSchema, definition, version);
    requireUnused(
      'STATISTIC_DEFINITION_IN_USE',
      await usesOfNames(uow, [statisticName(definition.code)], now),
      sentence`Change the expressions, or delete the level tracks first.`,
    );
    const before = toStatisticDefinitionMessage(definition);
    uow.em.remove(definition);
    uow.em.create(deletedStatisticTable, { clientId: uow.clientId, statisticId: definition.id, deletedAt: now });
    await uow.em.flush();
    return { id: definition.id, before };
  });
  return {};
}
