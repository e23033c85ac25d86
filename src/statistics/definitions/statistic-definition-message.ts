import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  StatisticDefinition_Aggregation as Aggregation,
  StatisticDefinition_Period as Period,
  StatisticDefinition_Source as Source,
  type StatisticDefinitionSchema,
} from '../../../gen/laurel/v1/statistic_pb.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type StatisticDefinitionEntity, statisticDefinitionTable } from './statistic-definition.entity.ts';

/** The columns of a definition that reads show. */
export const STATISTIC_DEFINITION = propertiesOf(statisticDefinitionTable, [
  'id',
  'code',
  'name',
  'description',
  'source',
  'programmaticCode',
  'aggregation',
  'period',
  'condition',
  'countsPastEvents',
  'countedSince',
  'fillPass',
  'fillAfterAt',
  'version',
  'createdAt',
  'updatedAt',
]);

/** The API message of a definition. */
export function toStatisticDefinitionMessage(
  definition: PartOf<StatisticDefinitionEntity, typeof STATISTIC_DEFINITION>,
): MessageInitShape<typeof StatisticDefinitionSchema> {
  const { id, code, name, description, source, programmaticCode, aggregation, period, condition, version } = definition;
  const { countsPastEvents, fillPass, fillAfterAt } = definition;
  return {
    ...{ id, code, name, description, version, countsPastEvents },
    source: Source[source],
    programmaticCode: programmaticCode ?? undefined,
    aggregation: Aggregation[aggregation],
    period: Period[period],
    condition: condition ?? undefined,
    countedSince: timestampFromDate(countedSinceOf(definition)),
    countedUntil: fillPass === null ? undefined : timestampFromDate(fillAfterAt ?? countedSinceOf(definition)),
    createdAt: timestampFromDate(definition.createdAt),
    updatedAt: timestampFromDate(definition.updatedAt),
  };
}

/** The time since which a statistic counts. */
export function countedSinceOf({
  countedSince,
  createdAt,
}: Pick<StatisticDefinitionEntity, 'countedSince' | 'createdAt'>): Date {
  return countedSince ?? createdAt;
}
