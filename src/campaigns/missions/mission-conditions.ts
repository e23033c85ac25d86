import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type MissionConditions,
  MissionConditions_Day,
  MissionConditions_DaySchema,
  type MissionConditionsSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import { declarationOf, type EventDeclaration, storedExpression } from '../../engine/missions/event-expression.ts';
import type { MissionConditions as ConditionsOfRule } from '../../engine/missions/mission-rule.ts';
import {
  type Amount,
  amountFromDecimal,
  amountFromNumber,
  amountToDecimal,
  amountToNumber,
} from '../../kernel/amount.ts';
import { enumName, type EnumName } from '../../kernel/enum-names.ts';

/** A condition of missions, by its name in the proto. */
type Condition = Exclude<keyof MissionConditions, `$${string}`>;

type Message = MessageInitShape<typeof MissionConditionsSchema>;

/**
 * The conditions of a mission, as the column `mission.conditions` stores them. Amounts are decimal text, because JSON
 * numbers are not exact. `timeFrom` and `timeTo` are `HH:MM`, and each may be set without the other: the missing one is midnight.
 */
export type Conditions = { readonly [Name in Condition]?: Stored[Name] };

type Stored = {
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly maxPerPeriod: string;
  readonly daysOfWeek: readonly EnumName<typeof MissionConditions_DaySchema>[];
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly prerequisiteMissionIds: readonly string[];
  readonly expression: string;
  readonly cooldownMinutes: number;
};

/** The forms of a condition: in requests, in the column, in answers, and in the engine's rule. */
type Forms<Sent, InColumn, Answered, InRule> = {
  /**
   * @returns undefined if the condition is not set
   * @throws DomainError `BAD_REQUEST` that names `field`
   */
  store(sent: Sent, field: string): InColumn | undefined;
  answer(stored: InColumn): Answered;
  /** @param events the events that the mission counts */
  rule(stored: InColumn, events: EventDeclaration): InRule;
};

type FormsOf<Name extends Condition> = Forms<
  MissionConditions[Name],
  Stored[Name],
  Message[Name],
  ConditionsOfRule[Name]
>;

/** The ISO numbers of the days, as the engine counts them. */
const ISO_DAYS = { MONDAY: 1, TUESDAY: 2, WEDNESDAY: 3, THURSDAY: 4, FRIDAY: 5, SATURDAY: 6, SUNDAY: 7 } as const;

const amount: Forms<number | undefined, string, number, Amount> = {
  store: (sent, field) => (sent === undefined ? undefined : amountToDecimal(amountFromNumber(sent, field))),
  answer: (stored) => amountToNumber(amountFromDecimal(stored)),
  rule: amountFromDecimal,
};

const time: Forms<string | undefined, string, string, string> = {
  store: (sent) => sent,
  answer: (stored) => stored,
  rule: (stored) => stored,
};

/** Every condition of the proto. A condition that is missing here or in the engine does not compile. */
const conditions: { readonly [Name in Condition]: FormsOf<Name> } = {
  minAmount: amount,
  maxAmount: amount,
  maxPerPeriod: amount,
  daysOfWeek: {
    store: (sent) => (sent.length > 0 ? sent.map((day) => enumName(MissionConditions_DaySchema, day)!) : undefined),
    answer: (stored) => stored.map((day) => MissionConditions_Day[day]),
    rule: (stored) => stored.map((day) => ISO_DAYS[day]),
  },
  timeFrom: time,
  timeTo: time,
  prerequisiteMissionIds: {
    store: (sent) => (sent.length > 0 ? sent.map((id) => id.toLowerCase()) : undefined),
    answer: (stored) => [...stored],
    rule: (stored) => stored,
  },
  expression: {
    store: (sent) => sent,
    answer: (stored) => stored,
    rule: (stored, events) => storedExpression(stored, events, 'BOOLEAN'),
  },
  cooldownMinutes: {
    store: (sent) => sent,
    answer: (stored) => stored,
    rule: (stored) => stored,
  },
};

/**
 * The stored form of conditions.
 * @throws DomainError `BAD_REQUEST` for an amount with more than four decimals
 */
export function storedConditions(sent: MissionConditions, field: string): Conditions {
  return converted((name, { store }) => store(sent[name], `${field}.${name}`));
}

/** The message of stored conditions. */
export function toConditionsMessage(stored: Conditions): Message {
  return converted((name, { answer }) => valueOr(stored[name], answer));
}

/** Declares no attribute: a mission whose code is gone has no events. */
const NO_EVENTS = declarationOf('SINGLE', [], []);

/** The engine's form of stored conditions. @param events the events that the mission counts */
export function conditionsOfRule(stored: Conditions, events: EventDeclaration = NO_EVENTS): ConditionsOfRule {
  return converted((name, { rule }) => valueOr(stored[name], (value) => rule(value as Stored[typeof name], events)));
}

/** An object with every condition, converted by `convert`. */
function converted<To>(convert: <Name extends Condition>(name: Name, forms: FormsOf<Name>) => unknown): To {
  const names = Object.keys(conditions) as Condition[];
  return Object.fromEntries(names.map((name) => [name, convert(name, conditions[name] as FormsOf<typeof name>)])) as To;
}

function valueOr<From, To>(value: From | undefined, convert: (value: From) => To): To | undefined {
  return value === undefined ? undefined : convert(value);
}
