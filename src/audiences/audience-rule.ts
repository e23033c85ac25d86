import type { AttributeDefinition } from '../attributes/attribute-definition.ts';
import { acceptedAttributes, type AttributeValues } from '../attributes/attribute-values.ts';
import { attributeVariables } from '../attributes/attribute-variables.ts';
import type { ListedAccount } from '../accounts/account.ts';
import { AUDIENCE_NAMES_SQL, audienceNamesOf } from './audience-names.queries.ts';
import { declaredAttributes } from '../clients/account-attributes.ts';
import { clientZones } from '../clients/client-zones.ts';
import { type AccountLevels, levelNumberOf } from '../engine/levels/account-levels.ts';
import type { LevelTrack } from '../engine/levels/level-track.ts';
import { levelName, levelVariables } from '../engine/levels/level-variables.ts';
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
import { loadLevels } from '../levels/accounts/load-levels.ts';
import { levelSql } from '../levels/accounts/level-sql.ts';
import { trackPlans } from '../levels/level-plans.ts';
import { type DefinedTrack, levelTracks } from '../levels/tracks/level-tracks.queries.ts';
import { joinedStatisticSql, statisticJoinSql, statisticSql } from '../statistics/values/statistic-sql.ts';
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
    /** Its levels; may be without tracks for expressions that read none. */
    readonly levels: AccountLevels;
  };
  /** The account's IANA time zone at `now`. */
  readonly timeZone: string;
  readonly now: number;
};

/** The name of an account's audiences in expressions. */
export const ACCOUNT_AUDIENCES = 'account.audiences';

/** Whether an expression can be evaluated with the account's audiences only. */
export function readsAudiences({ names }: Named): boolean {
  return names.has(ACCOUNT_AUDIENCES);
}

/** The checked expression of a RULE audience. */
export type AudienceRule = Expression<RuleContext>;

/** The names in expressions of a client's RULE audiences, in SQL as columns of an account `a`. */
export type RuleEnvironment = {
  readonly environment: Environment<RuleContext>;
  readonly attributes: readonly AttributeDefinition[];
  readonly statistics: readonly DefinedStatistic[];
  readonly tracks: readonly LevelTrack[];
  /** The zone of accounts without their own. */
  readonly calendar: Calendar;
  /** SQL of the joins behind the accounts `a` that the SQL of some expressions needs; empty unless statistics are joined. */
  joinsOf(expressions: readonly Named[]): string;
};

/** An expression, by the names in it. */
type Named = { readonly names: ReadonlySet<string> };

/** How SQL reads statistics: by a look-up for each account, for some of them, or joined, for all accounts of a client. */
export type StatisticReading = 'lookedUp' | 'joined';

/**
 * The names that expressions over the client's accounts may use.
 * @param now the value of `now` in SQL; without it, an expression that uses `now` has no SQL
 */
export async function ruleEnvironment(
  uow: UnitOfWork,
  now?: Date,
  reading: StatisticReading = 'lookedUp',
): Promise<RuleEnvironment> {
  const [{ attributes }, statistics, tracks, calendar] = await Promise.all([
    declaredAttributes(uow),
    statisticDefinitions(uow),
    levelTracks(uow),
    clientZones(uow),
  ]);
  return environmentOf({ attributes, statistics, tracks, calendar }, now, reading);
}

/** The declarations of a client on which its RULE audiences depend. */
type Declarations = Omit<RuleEnvironment, 'environment' | 'tracks' | 'joinsOf'> & {
  readonly tracks: readonly DefinedTrack[];
};

/** {@link ruleEnvironment} of declarations that the caller has read; without `now`, an expression that depends on it has no SQL. */
export function environmentOf(
  { attributes, statistics, tracks: defined, calendar }: Declarations,
  now?: Date,
  reading: StatisticReading = 'lookedUp',
): RuleEnvironment {
  const read = new Map(statistics.map((statistic) => [statistic.code, readStatistic(statistic, calendar)]));
  const tracks = [...trackPlans(defined, read).values()];
  const isJoined = reading === 'joined';
  const sqlOf =
    now &&
    ((statistic: DefinedStatistic) =>
      isJoined ? joinedStatisticSql(statistic) : statisticSql(statistic, calendar, now));
  const joinsOf = (expressions: readonly Named[]) =>
    now === undefined || !isJoined
      ? ''
      : statistics
          .filter(({ code }) => expressions.some(({ names }) => names.has(statisticName(code))))
          .map((statistic) => statisticJoinSql(statistic, calendar, now))
          .join(' ');
  const variables = new Map<string, Variable<RuleContext>>([
    ...attributeVariables<RuleContext>('account', attributes, ({ account }) => account.attributes, 'a.attributes'),
    ...statisticVariables<RuleContext, DefinedStatistic>(
      statistics,
      ({ account, now: at }, id) => account.statistics.at(id, at),
      sqlOf,
    ),
    ...levelVariables<RuleContext, LevelTrack>(
      tracks,
      ({ account }, id) => levelNumberOf(account, id),
      now && ((track) => levelSql(track, calendar, now)),
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
  return { environment: { variables, timeZone }, attributes, statistics, tracks, calendar, joinsOf };
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
 * Reads the parts of accounts that some expressions depend on: the names of audiences, the statistics and the levels, if an expression uses
 * them.
 * @param now the instant in whose periods statistics are read
 */
export async function ruleContexts(
  uow: UnitOfWork,
  { attributes, statistics, tracks, calendar }: RuleEnvironment,
  expressions: readonly Named[],
  accountIds: readonly string[],
  now: Date,
): Promise<RuleContexts> {
  const read = statistics.filter(({ code }) => expressions.some(({ names }) => names.has(statisticName(code))));
  const leveled = tracks.filter(({ code }) => expressions.some(({ names }) => names.has(levelName(code))));
  const [audienceNames, { values, held }] = await Promise.all([
    expressions.some(readsAudiences) ? audienceNamesOf(uow, accountIds) : undefined,
    loadLevels(uow, {
      ...{ tracks: leveled, accountIds, now },
      statistics: read.map((statistic) => readStatistic(statistic, calendar)),
      instants: accountIds.map((accountId) => ({ accountId, at: now.getTime() })),
    }),
  ]);
  const byId = new Map(leveled.map((track) => [track.id, track]));
  return (account, at) => ({
    account: {
      audienceNames: audienceNames?.get(account.id) ?? [],
      createdAt: account.createdAt.getTime(),
      attributes: acceptedAttributes(account.attributes ?? {}, attributes),
      statistics: values.get(account.id) ?? NO_VALUES,
      levels: { tracks: byId, held: held.get(account.id) ?? new Map(), now: now.getTime() },
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
