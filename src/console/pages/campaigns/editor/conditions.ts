import type { MessageInitShape } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import type { useFormatter, useTranslations } from 'use-intl';
import {
  type MissionConditions,
  MissionConditions_Day,
  MissionConditionsSchema,
} from '../../../../../gen/laurel/v1/mission_pb.ts';
import { expressionInWords } from '../expression-words.ts';
import { type DayName, dayName } from '../mission-types.ts';

/** The value of a number field: '' while it is empty. */
export type Entry = number | '';

/** A condition of missions, by its name in the proto. */
export type ConditionName = Exclude<keyof MissionConditions, `$${string}`>;

/** The values of a kind's fields, and the message of its condition. */
type Kind<Value, Stored> = {
  readonly empty: Value;
  readonly entered: (stored: Stored) => Value;
  readonly sent: (value: Value) => Stored;
};

const amount: Kind<Entry, number | undefined> = {
  empty: '',
  entered: (stored) => stored ?? '',
  sent: (value) => (value === '' ? undefined : value),
};

const time: Kind<string, string | undefined> = {
  empty: '',
  entered: (stored) => stored ?? '',
  sent: (value) => (value === '' ? undefined : value),
};

const text: Kind<string, string | undefined> = {
  empty: '',
  entered: (stored) => stored ?? '',
  sent: (value) => (value.trim() === '' ? undefined : value),
};

const days: Kind<DayName[], MissionConditions_Day[]> = {
  empty: [],
  entered: (stored) => stored.map(dayName),
  sent: (value) => value.map((day) => MissionConditions_Day[day]),
};

const missions: Kind<string[], string[]> = {
  empty: [],
  entered: (stored) => stored,
  sent: (value) => value,
};

const kinds = { amount, whole: amount, time, days, missions, expression: text };

/** The functions for sentences about conditions. */
type SentenceTools = {
  readonly t: ReturnType<typeof useTranslations<'conditions.sentences'>>;
  /** The words of expressions. */
  readonly words: ReturnType<typeof useTranslations<'expressions'>>;
  readonly day: (day: DayName) => string;
  readonly format: ReturnType<typeof useFormatter>;
  /** The period of the mission, as sentences call it. */
  readonly period: string;
};

/** The display of one condition in the editor and on the pages of a mission. Its label and its hint are texts under its name. */
type ConditionView = {
  /** The kind of its value, which determines the control. */
  readonly kind: keyof typeof kinds;
  /** Its sentence; undefined if it is not set, or if another condition's sentence includes it. */
  readonly sentence: (conditions: MissionConditions, tools: SentenceTools) => string | undefined;
};

/** A condition whose value is a number. */
type NumberName = {
  [Name in ConditionName]: NonNullable<MissionConditions[Name]> extends number ? Name : never;
}[ConditionName];

/** Every condition that is no number. One that is missing here does not compile. */
const others: Readonly<Record<Exclude<ConditionName, NumberName>, ConditionView>> = {
  daysOfWeek: {
    kind: 'days',
    sentence: ({ daysOfWeek }, { t, day, format }) =>
      daysOfWeek.length === 0
        ? undefined
        : t('daysOfWeek', { days: format.list(daysOfWeek.map((each) => day(dayName(each)))) }),
  },
  timeFrom: {
    kind: 'time',
    sentence: ({ timeFrom, timeTo }, { t }) =>
      timeFrom === undefined && timeTo === undefined
        ? undefined
        : t('hours', { from: timeFrom ?? '00:00', to: timeTo ?? '24:00' }),
  },
  timeTo: { kind: 'time', sentence: () => undefined },
  prerequisiteMissionIds: {
    kind: 'missions',
    sentence: ({ prerequisiteMissionIds: ids }, { t }) =>
      ids.length === 0 ? undefined : t('prerequisiteMissionIds', { count: ids.length }),
  },
  expression: {
    kind: 'expression',
    sentence: ({ expression }, { t, words, format }) =>
      expression === undefined
        ? undefined
        : t('expression', { expression: expressionInWords(expression, { t: words, format }) }),
  },
};

/** A number is an amount, with four decimals, or whole, as the type of its field says. */
function numberView(name: NumberName, scalar: ScalarType | undefined): ConditionView {
  return {
    kind: scalar === ScalarType.DOUBLE ? 'amount' : 'whole',
    sentence({ [name]: value }, { t, period }) {
      return value === undefined ? undefined : t(name, { value, period });
    },
  };
}

/** Every condition, in the order of the proto, which is that of the form and of the sentences. */
export const conditions = Object.fromEntries(
  MissionConditionsSchema.fields.map((field) => {
    const name = field.localName as ConditionName;
    return [name, name in others ? others[name as keyof typeof others] : numberView(name as NumberName, field.scalar)];
  }),
) as Readonly<Record<ConditionName, ConditionView>>;

/** The names of the conditions, in the order of the form. */
export const conditionNames = Object.keys(conditions) as readonly ConditionName[];

/** The value of a condition's fields. */
type ValueOf<Stored> = Stored extends number
  ? Entry
  : Stored extends string
    ? string
    : Stored extends readonly string[]
      ? string[]
      : DayName[];

/** The fields of a mission's conditions. */
export type ConditionValues = { [Name in ConditionName]: ValueOf<NonNullable<MissionConditions[Name]>> };

/** The fields as they show stored conditions; empty ones without. */
export function conditionValuesOf(stored: MissionConditions | undefined): ConditionValues {
  return each((name, kind) => (stored === undefined ? kind.empty : kind.entered(stored[name])));
}

/** The request of the fields. */
export function sentConditions(values: ConditionValues): MessageInitShape<typeof MissionConditionsSchema> {
  return each((name, kind) => kind.sent(values[name]));
}

/** The number of entered conditions. */
export function countConditions(values: ConditionValues): number {
  return Object.values(values).filter((value) => value !== '' && !(Array.isArray(value) && value.length === 0)).length;
}

function each<To>(convert: (name: ConditionName, kind: Kind<unknown, unknown>) => unknown): To {
  const kindOf = (name: ConditionName) => kinds[conditions[name].kind] as Kind<unknown, unknown>;
  return Object.fromEntries(conditionNames.map((name) => [name, convert(name, kindOf(name))])) as To;
}
