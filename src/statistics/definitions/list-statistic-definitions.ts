import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListStatisticDefinitionsRequest,
  ListStatisticDefinitionsResponseSchema,
} from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import {
  StatisticDefinition_AggregationSchema,
  StatisticDefinition_SourceSchema,
} from '../../../gen/laurel/v1/statistic_pb.ts';
import { STATISTIC_PERIODS } from '../../engine/statistics/statistic-period.ts';
import { enumNames } from '../../kernel/enum-names.ts';
import { pagedList } from '../../persistence/lists/list-page.ts';
import { STATISTIC_DEFINITION, toStatisticDefinitionMessage } from './statistic-definition-message.ts';
import type { DefinedStatistic } from './statistic-definitions.queries.ts';

/** Lists the statistics by page, in the order of codes: proto StatisticDefinitionAdminService.ListStatisticDefinitions. */
export function listStatisticDefinitions(
  { db, principal }: Call,
  request: ListStatisticDefinitionsRequest,
): Promise<MessageInitShape<typeof ListStatisticDefinitionsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await definitionPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toStatisticDefinitionMessage(row)) };
  });
}

const definitionPage = pagedList<DefinedStatistic>({
  from: 'statistic_definition',
  columns: STATISTIC_DEFINITION,
  orderBy: ['code'],
  fields: {
    id: { kind: 'uuid', column: 'id' },
    code: { kind: 'text', column: 'code' },
    name: { kind: 'text', column: 'name' },
    source: { kind: 'enum', values: enumNames(StatisticDefinition_SourceSchema), column: 'source' },
    programmaticCode: { kind: 'text', column: 'programmatic_code' },
    aggregation: { kind: 'enum', values: enumNames(StatisticDefinition_AggregationSchema), column: 'aggregation' },
    period: { kind: 'enum', values: STATISTIC_PERIODS, column: 'period' },
  },
  orderable: {
    code: { column: 'code', unique: true },
    name: { column: 'name' },
    programmaticCode: { column: 'programmatic_code' },
    createdAt: { column: 'created_at' },
    updatedAt: { column: 'updated_at' },
  },
  searched: { ids: ['id'], words: ['code'], parts: ['name', 'code'] },
});
