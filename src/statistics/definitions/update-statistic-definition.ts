import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  StatisticDefinitionAdminService,
  type UpdateStatisticDefinitionRequest,
  type UpdateStatisticDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { StatisticDefinitionSchema } from '../../../gen/laurel/v1/statistic_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toStatisticDefinitionMessage } from './statistic-definition-message.ts';
import { requireStatisticDefinition } from './statistic-definitions.queries.ts';
import { contentOf } from './statistic-draft.ts';

/** Replaces the texts of a statistic: proto StatisticDefinitionAdminService.UpdateStatisticDefinition. */
export async function updateStatisticDefinition(
  { db, principal }: Call,
  { id, version, statisticDefinition }: UpdateStatisticDefinitionRequest,
): Promise<MessageInitShape<typeof UpdateStatisticDefinitionResponseSchema>> {
  const { name, description, ...counted } = contentOf(statisticDefinition!);
  const operation = StatisticDefinitionAdminService.method.updateStatisticDefinition;
  const change = { operation, schema: StatisticDefinitionSchema };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const definition = await requireStatisticDefinition(uow, id, { forChange: true });
    await requireVersion(uow, StatisticDefinitionSchema, definition, version);
    const names = Object.keys(counted) as (keyof typeof counted)[];
    const fixed = names.filter((each) => counted[each] !== undefined && definition[each] !== counted[each]);
    if (fixed.length > 0)
      throw new DomainError(
        'STATISTIC_DEFINITION_IMMUTABLE',
        sentence`What a statistic counts never changes, and these differ: ${fixed}. Send them as they are, or create another statistic.`,
      );
    const before = toStatisticDefinitionMessage(definition);
    uow.em.assign(definition, { name, description, version: definition.version + 1 });
    await uow.em.flush();
    return { id: definition.id, before, after: toStatisticDefinitionMessage(definition) };
  });
  return { statisticDefinition: after };
}
