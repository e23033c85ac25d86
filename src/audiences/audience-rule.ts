import type { AttributeDefinition } from '../attributes/attribute-definition.ts';
import { acceptedAttributes, type AttributeValues } from '../attributes/attribute-values.ts';
import { attributeVariables } from '../attributes/attribute-variables.ts';
import type { ListedAccount } from '../accounts/account.ts';
import { AUDIENCE_NAMES_SQL } from './audience-names.queries.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import { clientZones } from '../clients/client-zones.ts';
import { compileExpression, type Expression } from '../expressions/compile.ts';
import { explanationOf } from '../expressions/explain.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { Environment, Variable } from '../expressions/expression-type.ts';
import type { Sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The values of a RULE audience's expression: an account at an instant in milliseconds since 1970. */
export type RuleContext = {
  readonly account: {
    readonly createdAt: number;
    readonly attributes: AttributeValues;
    /** The names of its MANUAL and EVERYONE audiences; may be empty for expressions without {@link readsAudiences}. */
    readonly audienceNames: readonly string[];
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
  /** The zone of accounts without their own. */
  readonly clientZone: string;
};

/**
 * The names that expressions over the client's accounts may use.
 * @param now the value of `now` in SQL; without it, an expression that uses `now` has no SQL
 */
export async function ruleEnvironment(uow: UnitOfWork, now?: Date): Promise<RuleEnvironment> {
  const [{ attributes }, { timeZone }] = await Promise.all([declaredAttributes(uow), clientZones(uow)]);
  return environmentOf(attributes, timeZone, now);
}

/** {@link ruleEnvironment} of attributes and a zone that the caller has read; without `now`, an expression that uses it has no SQL. */
export function environmentOf(
  attributes: readonly AttributeDefinition[],
  clientZone: string,
  now?: Date,
): RuleEnvironment {
  const variables = new Map<string, Variable<RuleContext>>([
    ...attributeVariables<RuleContext>('account', attributes, ({ account }) => account.attributes, 'a.attributes'),
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
    sql: `coalesce(a.time_zone, '${clientZone.replaceAll("'", "''")}')`,
  };
  return { environment: { variables, timeZone }, attributes, clientZone };
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

/**
 * An account as rules see it at an instant.
 * @param audienceNames the names of its audiences, for expressions that read them
 */
export function ruleContext(
  account: Pick<ListedAccount, 'createdAt' | 'attributes' | 'timeZone'>,
  { attributes, clientZone }: RuleEnvironment,
  now: Date,
  audienceNames: readonly string[] = [],
): RuleContext {
  return {
    account: {
      audienceNames,
      createdAt: account.createdAt.getTime(),
      attributes: acceptedAttributes(account.attributes ?? {}, attributes),
    },
    timeZone: account.timeZone ?? clientZone,
    now: now.getTime(),
  };
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
