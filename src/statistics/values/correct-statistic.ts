import { clientZones } from '../../clients/client-zones.ts';
import { type PeriodSpan, spanOfKey, statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import { aggregations } from '../../engine/statistics/statistic-value.ts';
import type { Amount } from '../../kernel/amount.ts';
import { badRequest, DomainError, isGranted } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type DefinedStatistic, statisticDefinitions } from '../definitions/statistic-definitions.queries.ts';
import { keyOf, type SetRow, setAddedValues, setOtherValues, statisticValues } from './account-statistics.queries.ts';

/** A value to set. */
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
  readonly definition: DefinedStatistic;
  readonly span: PeriodSpan;
};

/**
 * Sets the values of statistics in their periods; of two corrections of one value, the last counts. The number of statements does not grow
 * with them. The caller has locked the accounts.
 * @param field the caller's name of `periodKey`, for messages
 * @returns one for each: `STATISTIC_DEFINITION_NOT_FOUND`, and `BAD_REQUEST` for a key that is no period of the statistic
 */
export async function correctStatistics(
  uow: UnitOfWork,
  corrections: readonly StatisticCorrection[],
  now: Date,
  field = 'periodKey',
): Promise<Array<CorrectedStatistic | DomainError>> {
  const [definitions, calendar] = await Promise.all([statisticDefinitions(uow), clientZones(uow)]);
  const byCode = new Map(definitions.map((definition) => [definition.code, definition]));
  const found = corrections.map(({ code, periodKey }) => {
    const definition = byCode.get(code);
    if (definition === undefined)
      return new DomainError('STATISTIC_DEFINITION_NOT_FOUND', sentence`There is no statistic '${code}'.`);
    const { period } = definition;
    const current = statisticPeriodAt(period, calendar, now.getTime());
    const span = periodKey === undefined ? current : spanOfKey(period, calendar, periodKey);
    if (span === undefined) return noPeriod(definition, field);
    if (span.period > current.period)
      return badRequest(sentence`\`${field}\` is in the future: name a period that has begun.`);
    return { definition, span };
  });
  const wanted = found.flatMap((each, index) => {
    if (!isGranted(each)) return [];
    const { accountId, value } = corrections[index]!;
    const { definition, span } = each;
    const { id: statisticId, aggregation } = definition;
    return [{ accountId, statisticId, period: span.period, aggregation, value }];
  });
  const stored = await statisticValues(uow, wanted);
  const rows = new Map(
    wanted.map((row, index): [string, SetRow] => [keyOf(row), { ...row, before: stored[index]?.value }]),
  );
  const sorted = [...rows.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const isAdded = ({ aggregation }: SetRow) => aggregations[aggregation].isAdded;
  await Promise.all([
    setAddedValues(
      uow,
      sorted.filter((row) => isAdded(row) && row.value !== row.before),
    ),
    // Reversals go back to a value that was set, also if it was the same before.
    setOtherValues(
      uow,
      sorted.filter((row) => !isAdded(row)),
      now,
    ),
  ]);
  let next = 0;
  return found.map((each) => {
    if (!isGranted(each)) return each;
    return { ...each, before: stored[next++]?.value };
  });
}

function noPeriod({ period }: DefinedStatistic, field: string): DomainError {
  return badRequest(
    period === 'ALL_TIME'
      ? sentence`\`${field}\` is for statistics with periods: leave it out for one of all time.`
      : sentence`\`${field}\` names no period of the statistic, whose periods are ${period}.`,
  );
}
