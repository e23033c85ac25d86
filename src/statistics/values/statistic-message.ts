import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type MovedStatisticSchema,
  StatisticDefinition_Period as Period,
  type StatisticSchema,
} from '../../../gen/laurel/v1/statistic_pb.ts';
import { type PeriodSpan, statisticPeriodKey } from '../../engine/statistics/statistic-period.ts';
import { aggregations, type StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import { type Amount, amountToNumber, optionalNumber } from '../../kernel/amount.ts';
import { countedSinceOf } from '../definitions/statistic-definition-message.ts';
import type { DefinedStatistic } from '../definitions/statistic-definitions.queries.ts';
import type { StatisticPlans } from '../statistic-plans.ts';

/** The value of a statistic in a period as the API shows it. */
export function toStatisticMessage(
  { id, code, name, aggregation, period: unit, countedSince, createdAt }: DefinedStatistic,
  { period, from, until }: PeriodSpan,
  value: Amount | undefined,
): MessageInitShape<typeof StatisticSchema> {
  const isBounded = unit !== 'ALL_TIME';
  return {
    ...{ id, code, name },
    period: Period[unit],
    periodKey: statisticPeriodKey(unit, period),
    since: isBounded ? timestampFromMs(from) : undefined,
    until: isBounded ? timestampFromMs(until) : undefined,
    value: optionalNumber(value ?? (aggregations[aggregation].isAdded ? 0n : undefined)),
    countedSince: timestampFromDate(countedSinceOf({ countedSince, createdAt })),
  };
}

/** An effect as answers and the journal show it. */
export function toMovedStatisticMessage(
  { byId }: StatisticPlans,
  { statisticId, period, amount }: Pick<StatisticEffect, 'statisticId' | 'period' | 'amount'>,
): MessageInitShape<typeof MovedStatisticSchema> {
  const plan = byId.get(statisticId);
  return {
    id: statisticId,
    code: plan?.code ?? '',
    periodKey: plan && statisticPeriodKey(plan.period, period),
    amount: amountToNumber(amount),
  };
}
