import type { AttributeDefinition } from '../attributes/attribute-definition.ts';
import { acceptedAttributes, type AttributeValues } from '../attributes/attribute-values.ts';
import { attributeVariables } from '../attributes/attribute-variables.ts';
import type { ListedAccount } from '../accounts/account.ts';
import { AUDIENCE_NAMES_SQL, audienceNamesOf } from './audience-names.queries.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import { clientZones } from '../clients/client-zones.ts';
import { NO_VALUES, type StatisticValues } from '../engine/statistics/statistic-values.ts';
import { statisticName, statisticVariables } from '../engine/statistics/statistic-variables.ts';
import type { Calendar } from '../engine/time/calendar.ts';
import { compileExpression, type Expression } from '../expressions/compile.ts';
import { explanationOf } from '../expressions/explain.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { Environment, Variable } from '../expressions/expression-type.ts';
import type { Sentence } from '../kernel/sentence.ts';
import {
  type DefinedStatistic,
  statisticDefinitions,
} from '../statistics/definitions/statistic-definitions.queries.ts';
import { readStatistic } from '../statistics/statistic-plans.ts';
import { statisticSql } from '../statistics/values/account-statistics.queries.ts';
import { loadStatisticValues } from '../statistics/values/load-values.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The values of a RULE audience's expression: an account at an instant in milliseconds since 1970. */
export type RuleContext = {
  readonly account: {
    readonly createdAt: number;
    readonly attributes: AttributeValues;
    /** The names of its MANUAL and EVERYONE audiences; may be empty for expressions without {@link readsAudiences}. */
    readonly audienceNames: readonly string[];
    /** Its statistics; may be empty for expressions that read none. */
    readonly statistics: Pick<StatisticValues, 'at'>;
  };
  /** The account's IANA time zone at `now`. */
  readonly timeZone: string;
  readonly now: number;
};

/** The name of an account's audiences in expressions. */
export const ACCOUNT_AUDIENCES = 'account.audiences';

/** Whether an expression can be evaluated with the account's audiences only. */
export function readsAudiences({ names }: { readonly names: ReadonlySet<string> }): boolean {
  return names.has(ACCOUNT_AUDIENCES);
}

/** The checked expression of a RULE audience. */
export type AudienceRule = Expression<RuleContext>;

/** The names in expressions of a client's RULE audiences, in SQL as columns of an account `a`. */
export type RuleEnvironment = {
  readonly environment: Environment<RuleContext>;
  readonly attributes: readonly AttributeDefinition[];
  readonly statistics: readonly DefinedStatistic[];
  /** The zone of accounts without their own. */
  readonly calendar: Calendar;
};

/**
 * The names that expressions over the client's accounts may use.
 * @param now the value of `now` in SQL; without it, an expression that uses `now` has no SQL
 */
export async function ruleEnvironment(uow: UnitOfWork, now?: Date): Promise<RuleEnvironment> {
  const [{ attributes }, statistics, calendar] = await Promise.all([
    declaredAttributes(uow),
    statisticDefinitions(uow),
    clientZones(uow),
  ]);
  return environmentOf({ attributes, statistics, calendar }, now);
}

/** {@link ruleEnvironment} of declarations that the caller has read; without `now`, an expression that depends on it has no SQL. */
export function environmentOf(
  { attributes, statistics, calendar }: Omit<RuleEnvironment, 'environment'>,
  now?: Date,
): RuleEnvironment {
  const sqlOf = now && ((statistic: DefinedStatistic) => statisticSql(statistic, calendar, now));
  const variables = new Map<string, Variable<RuleContext>>([
    ...attributeVariables<RuleContext>('account', attributes, ({ account }) => account.attributes, 'a.attributes'),
    ...statisticVariables<RuleContext, DefinedStatistic>(
      statistics,
      ({ account, now: at }, id) => account.statistics.at(id, at),
      sqlOf,
    ),
    [
      'account.createdAt',
      {
        type: 'TIMESTAMP',
        read: ({ account }) => account.createdAt,
        sql: 'floor(extract(epoch from a.created_at) * 1000)',
      },
    ],
    [ACCOUNT_AUDIENCES, { type: 'STRING_LIST', read: ({ account }) => account.audienceNames, sql: AUDIENCE_NAMES_SQL }],
    ['now', { type: 'TIMESTAMP', read: ({ now }) => now, sql: now && `${now.getTime()}::numeric` }],
  ]);
  const timeZone = {
    read: (context: RuleContext) => context.timeZone,
    sql: `coalesce(a.time_zone, '${calendar.timeZone.replaceAll("'", "''")}')`,
  };
  return { environment: { variables, timeZone }, attributes, statistics, calendar };
}

/** The rule of a stored expression. One that a later release no longer accepts holds for nobody. */
export function ruleOf(text: string, { environment }: RuleEnvironment): AudienceRule {
  try {
    return compileExpression(text, environment, 'BOOLEAN');
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...compileExpression('false', environment, 'BOOLEAN'), text };
  }
}

/** SQL of whether a rule holds for an account `a`; never NULL. */
export function ruleSql(rule: AudienceRule): string {
  return `(${rule.sql ?? 'false'}) is true`;
}

/** The account as rules see it at an instant. */
export type RuleContexts = (account: RuledAccount, now: Date) => RuleContext;

/** The parts of an account that rules read. */
type RuledAccount = Pick<ListedAccount, 'id' | 'createdAt' | 'attributes' | 'timeZone'>;

/**
 * Reads the parts of accounts that some expressions depend on: the names of audiences and the statistics, if an expression uses them.
 * @param now the instant in whose periods statistics are read
 */
export async function ruleContexts(
  uow: UnitOfWork,
  { attributes, statistics, calendar }: RuleEnvironment,
  expressions: ReadonlyArray<{ readonly names: ReadonlySet<string> }>,
  accountIds: readonly string[],
  now: Date,
): Promise<RuleContexts> {
  const read = statistics.filter(({ code }) => expressions.some(({ names }) => names.has(statisticName(code))));
  const [audienceNames, values] = await Promise.all([
    expressions.some(readsAudiences) ? audienceNamesOf(uow, accountIds) : undefined,
    loadStatisticValues(
      uow,
      read.map((statistic) => readStatistic(statistic, calendar)),
      accountIds.map((accountId) => ({ accountId, at: now.getTime() })),
    ),
  ]);
  return (account, at) => ({
    account: {
      audienceNames: audienceNames?.get(account.id) ?? [],
      createdAt: account.createdAt.getTime(),
      attributes: acceptedAttributes(account.attributes ?? {}, attributes),
      statistics: values.get(account.id) ?? NO_VALUES,
    },
    timeZone: account.timeZone ?? calendar.timeZone,
    now: at.getTime(),
  });
}

/** Why a rule does not hold for an account, without personal values; undefined if it holds. */
export function explainRule(
  rule: AudienceRule,
  { environment, attributes }: RuleEnvironment,
  context: RuleContext,
): Sentence | undefined {
  const personal = new Set(attributes.flatMap(({ name, personal }) => (personal ? [`account.${name}`] : [])));
  return explanationOf(rule, environment, context, personal);
}
