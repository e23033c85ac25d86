import { decimalOfAmount } from '../../expressions/decimal.ts';
import type { Variable } from '../../expressions/expression-type.ts';
import type { Amount } from '../../kernel/amount.ts';

/** A statistic as expressions name it. */
export type NamedStatistic = { readonly id: string; readonly code: string };

/** The beginning of a statistic's name in expressions. */
const PREFIX = 'account.statistics.';

/** The name of a statistic in expressions. */
export function statisticName(code: string): string {
  return `${PREFIX}${code}`;
}

/** Whether an expression reads statistics. */
export function readsStatistics({ names }: { readonly names: ReadonlySet<string> }): boolean {
  return [...names].some((name) => name.startsWith(PREFIX));
}

/**
 * The names of statistics in expressions.
 * @param valueOf the value in the context of an evaluation
 * @param sqlOf the SQL of the value; absent where expressions are not evaluated in SQL
 */
export function statisticVariables<Context, Statistic extends NamedStatistic>(
  statistics: readonly Statistic[],
  valueOf: (context: Context, statisticId: string) => Amount | undefined,
  sqlOf?: (statistic: Statistic) => string | undefined,
): Array<[name: string, variable: Variable<Context>]> {
  return statistics.map((statistic) => {
    const read = (context: Context) => {
      const value = valueOf(context, statistic.id);
      return value === undefined ? undefined : decimalOfAmount(value);
    };
    return [statisticName(statistic.code), { type: 'NUMBER', read, sql: sqlOf?.(statistic) }];
  });
}
