import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type MissionConditions,
  MissionConditions_Day as Day,
  MissionConditions_DaySchema as DaySchema,
  type MissionConditionsSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import { conditionForms } from '../../engine/missions/conditions/conditions.ts';
import {
  declarationOf,
  type EventDeclaration,
  type EventExpression,
  storedExpression,
} from '../../engine/missions/event-expression.ts';
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

/** The values of each form: in requests, in the column, and in the engine's rule. Answers have those of requests. */
type Values = {
  readonly amount: { sent: number | undefined; stored: string; rule: Amount };
  readonly number: { sent: number | undefined; stored: number; rule: number };
  readonly text: { sent: string | undefined; stored: string; rule: string };
  readonly expression: { sent: string | undefined; stored: string; rule: EventExpression };
  readonly days: { sent: Day[]; stored: readonly EnumName<typeof DaySchema>[]; rule: readonly number[] };
  readonly ids: { sent: string[]; stored: readonly string[]; rule: readonly string[] };
};

type Form = keyof Values;

/** The forms that a field of the proto can have, by its type. */
type FormsSentAs<Sent> = {
  [Each in Form]: [Sent, Values[Each]['sent']] extends [Values[Each]['sent'], Sent] ? Each : never;
}[Form];

/** The form of each condition. One that the rules lack, or have with another type than the proto, does not compile. */
const formOf: { readonly [Name in Condition]: FormsSentAs<MissionConditions[Name]> } = conditionForms;

/**
 * The conditions of a mission, as the column `mission.conditions` stores them. Amounts are decimal text, because JSON
 * numbers are not exact. `timeFrom` and `timeTo` are `HH:MM`, and each may be set without the other: the missing one is midnight.
 */
export type Conditions = { readonly [Name in Condition]?: Values[(typeof conditionForms)[Name]]['stored'] };

/** The conversions of a form. */
type Conversions<Of extends { sent: unknown; stored: unknown; rule: unknown }> = {
  /**
   * @returns undefined if the condition is not set
   * @throws DomainError `BAD_REQUEST` that names `field`
   */
  store(sent: Of['sent'], field: string): Of['stored'] | undefined;
  answer(stored: Of['stored']): Of['sent'];
  /** @param events the events that the mission counts */
  rule(stored: Of['stored'], events: EventDeclaration): Of['rule'];
};

/** The ISO numbers of the days, as the engine counts them. */
const ISO_DAYS = { MONDAY: 1, TUESDAY: 2, WEDNESDAY: 3, THURSDAY: 4, FRIDAY: 5, SATURDAY: 6, SUNDAY: 7 } as const;

const conversions: { readonly [Each in Form]: Conversions<Values[Each]> } = {
  amount: {
    store: (sent, field) => (sent === undefined ? undefined : amountToDecimal(amountFromNumber(sent, field))),
    answer: (stored) => amountToNumber(amountFromDecimal(stored)),
    rule: amountFromDecimal,
  },
  number: {
    store: (sent) => sent,
    answer: (stored) => stored,
    rule: (stored) => stored,
  },
  text: {
    store: (sent) => sent,
    answer: (stored) => stored,
    rule: (stored) => stored,
  },
  expression: {
    store: (sent) => sent,
    answer: (stored) => stored,
    rule: (stored, events) => storedExpression(stored, events, 'BOOLEAN'),
  },
  days: {
    store: (sent) => (sent.length > 0 ? sent.map((day) => enumName(DaySchema, day)!) : undefined),
    answer: (stored) => stored.map((day) => Day[day]),
    rule: (stored) => stored.map((day) => ISO_DAYS[day]),
  },
  ids: {
    store: (sent) => (sent.length > 0 ? sent.map((id) => id.toLowerCase()) : undefined),
    answer: (stored) => [...stored],
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
  return converted((name, { answer }) => valueOr(stored[name], (value) => answer(value)));
}

/** Declares no attribute: a mission whose code is gone has no events. */
const NO_EVENTS = declarationOf('SINGLE', [], []);

/** The engine's form of stored conditions. @param events the events that the mission counts */
export function conditionsOfRule(stored: Conditions, events: EventDeclaration = NO_EVENTS): ConditionsOfRule {
  return converted((name, { rule }) => valueOr(stored[name], (value) => rule(value, events)));
}

/** An object with every condition, converted by `convert`. */
function converted<To>(convert: (name: Condition, conversions: Conversions<Values[Form]>) => unknown): To {
  const names = Object.keys(formOf) as Condition[];
  return Object.fromEntries(names.map((name) => [name, convert(name, conversions[formOf[name]])])) as To;
}

function valueOr<From, To>(value: From | undefined, convert: (value: From) => To): To | undefined {
  return value === undefined ? undefined : convert(value);
}
