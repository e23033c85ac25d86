import type { MessageInitShape } from '@bufbuild/protobuf';
import type { StatisticSchema } from '../../../gen/laurel/v1/statistic_pb.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { type PeriodSpan, spanOfKey, statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import { aggregations } from '../../engine/statistics/statistic-value.ts';
import type { Amount } from '../../kernel/amount.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedStatistic, statisticDefinitions } from '../definitions/statistic-definitions.queries.ts';
import { keyOf, setAddedValue, setOtherValue, statisticValues } from './account-statistics.queries.ts';
import { toStatisticMessage } from './statistic-message.ts';

/** The value to set. */
export type StatisticCorrection = {
  readonly accountId: string;
  /** The code of the statistic. */
  readonly code: string;
  /** The key of the period; the one at `now` if undefined. */
  readonly periodKey: string | undefined;
  readonly value: Amount;
};

/** A corrected value. */
export type CorrectedStatistic = {
  readonly before: Amount | undefined;
  readonly message: MessageInitShape<typeof StatisticSchema>;
};

/**
 * Sets the value of a statistic in a period. The caller has locked the account.
 * @throws DomainError `STATISTIC_DEFINITION_NOT_FOUND`, `BAD_REQUEST` for a key that is no period of the statistic
 */
export async function correctStatistic(
  uow: UnitOfWork,
  { accountId, code, periodKey, value }: StatisticCorrection,
  now: Date,
): Promise<CorrectedStatistic> {
  const definition = (await statisticDefinitions(uow)).find((each) => each.code === code);
  if (definition === undefined)
    throw new DomainError('STATISTIC_DEFINITION_NOT_FOUND', sentence`There is no statistic '${code}'.`);
  const calendar = await clientZones(uow);
  const current = statisticPeriodAt(definition.period, calendar, now.getTime());
  const span =
    periodKey === undefined ? current : requireSpan(definition, spanOfKey(definition.period, calendar, periodKey));
  if (span.period > current.period) throw badRequest('`periodKey` is in the future: name a period that has begun.');
  const key = { accountId, statisticId: definition.id, period: span.period };
  const before = (await statisticValues(uow, [key])).get(keyOf(key))?.value;
  const { aggregation } = definition;
  const row = { ...key, aggregation, value };
  await (aggregations[aggregation].isAdded ? setAddedValue(uow, row, before ?? 0n) : setOtherValue(uow, row, now));
  return { before, message: toStatisticMessage(definition, span, value) };
}

function requireSpan({ period }: DefinedStatistic, span: PeriodSpan | undefined): PeriodSpan {
  if (span !== undefined) return span;
  throw badRequest(
    period === 'ALL_TIME'
      ? sentence`\`periodKey\` is for statistics with periods: leave it out for one of all time.`
      : sentence`\`periodKey\` names no period of the statistic, whose periods are ${period}.`,
  );
}
