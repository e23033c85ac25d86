import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import { attributeVariables } from '../../attributes/attribute-variables.ts';
import { compileExpression, type Expression } from '../../expressions/compile.ts';
import { decimalOfAmount } from '../../expressions/decimal.ts';
import { explanationOf } from '../../expressions/explain.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import type { Environment, ExpressionType, Variable } from '../../expressions/expression-type.ts';
import type { Amount } from '../../kernel/amount.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import { zoneOf } from '../../kernel/time/zone-history.ts';
import type { GameEvent } from '../game-event.ts';
import { levelNumberOf } from '../levels/account-levels.ts';
import { levelVariables, type NamedTrack } from '../levels/level-variables.ts';
import { type NamedStatistic, statisticVariables } from '../statistics/statistic-variables.ts';
import type { AccountContext } from '../account-context.ts';
import type { EventType } from '../game-event.ts';

/** The parts of an account on which expressions depend. */
export type JudgedAccount = Pick<
  AccountContext,
  'createdAt' | 'attributes' | 'calendar' | 'audienceNames' | 'statistics' | 'levels'
>;

/** The values of an expression over events: one event, and the account as it is when the event is applied. */
export type EventContext = {
  readonly event: GameEvent;
  readonly account: JudgedAccount;
  /** The progress of the mission before the event; undefined where no mission is judged. */
  readonly progress?: Amount | undefined;
};

/** The name of the mission's progress in expressions. */
export const MISSION_PROGRESS = 'mission.progress';

/** A checked expression over the events of one code. */
export type EventExpression = Expression<EventContext>;

/** The type of the events of a code, the names that expressions over them may use, and the declared attributes. */
export type EventDeclaration = {
  readonly type: EventType;
  readonly attributes: readonly AttributeDefinition[];
  readonly environment: Environment<EventContext>;
  /** The names of personal attributes, whose values are masked. */
  readonly personal: ReadonlySet<string>;
};

/** The names of numbers that the client's events move. */
export type CountedNames = {
  readonly statistics: readonly NamedStatistic[];
  readonly tracks: readonly NamedTrack[];
};

const NO_COUNTED_NAMES: CountedNames = { statistics: [], tracks: [] };

/**
 * The declaration of a code's events.
 * @param accountAttributes the declared attributes of the client's accounts
 * @param counted the statistics and the level tracks of the client
 */
export function declarationOf(
  type: EventType,
  attributes: readonly AttributeDefinition[],
  accountAttributes: readonly AttributeDefinition[],
  counted: CountedNames = NO_COUNTED_NAMES,
): EventDeclaration {
  const variables = new Map<string, Variable<EventContext>>([
    ...attributeVariables<EventContext>('event', attributes, ({ event }) => event.attributes),
    ...attributeVariables<EventContext>('account', accountAttributes, ({ account }) => account.attributes),
    ...statisticVariables<EventContext, NamedStatistic>(counted.statistics, ({ account, event }, id) =>
      account.statistics.at(id, event.occurredAt),
    ),
    ...levelVariables<EventContext, NamedTrack>(counted.tracks, ({ account }, id) => levelNumberOf(account, id)),
    ['account.createdAt', { type: 'TIMESTAMP', read: ({ account }) => account.createdAt }],
    ['account.audiences', { type: 'STRING_LIST', read: ({ account }) => account.audienceNames }],
    [
      MISSION_PROGRESS,
      { type: 'NUMBER', read: ({ progress }) => (progress === undefined ? undefined : decimalOfAmount(progress)) },
    ],
    ['now', { type: 'TIMESTAMP', read: ({ event }) => event.occurredAt }],
  ]);
  if (type === 'AMOUNT') {
    variables.set('event.amount', { type: 'NUMBER', read: ({ event }) => decimalOfAmount(event.amount) });
  }
  const timeZone = { read: ({ event, account }: EventContext) => zoneOf(account.calendar, event.occurredAt) };
  const personal = new Set([...personalNames('event', attributes), ...personalNames('account', accountAttributes)]);
  return { type, attributes, environment: { variables, timeZone }, personal };
}

function personalNames(prefix: string, attributes: readonly AttributeDefinition[]): string[] {
  return attributes.flatMap(({ name, personal }) => (personal ? [`${prefix}.${name}`] : []));
}

/**
 * A stored expression, which was checked when it was written. One that a later release no longer accepts has no value, so that no event
 * fails because of it.
 */
export function storedExpression(
  text: string,
  { environment }: Pick<EventDeclaration, 'environment'>,
  type: ExpressionType,
): EventExpression {
  try {
    return compileExpression(text, environment, type);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...compileExpression('false', environment, 'BOOLEAN'), text, type, run: () => undefined };
  }
}

/**
 * The part of an expression that did not hold for an event, in words, for example `event.category is "tea", needed one of "coffee"`. Values
 * of personal attributes are masked.
 */
export function explainExpression(
  expression: EventExpression,
  { environment, personal }: EventDeclaration,
  context: EventContext,
): Sentence | undefined {
  return explanationOf(expression, environment, context, personal);
}
