import type { MessageInitShape } from '@bufbuild/protobuf';
import type { useFormatter, useTranslations } from 'use-intl';
import {
  type MissionConditions,
  MissionConditions_Day,
  type MissionConditionsSchema,
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

const kinds = { amount, minutes: amount, time, days, missions, expression: text };

/** The functions for sentences about conditions. */
type SentenceTools = {
  readonly t: ReturnType<typeof useTranslations<'campaigns.sentences'>>;
  /** The words of expressions. */
  readonly words: ReturnType<typeof useTranslations<'expressions'>>;
  readonly day: (day: DayName) => string;
  readonly format: ReturnType<typeof useFormatter>;
  /** The period of the mission, as sentences call it. */
  readonly period: string;
};

/** The display of one condition in the editor and on the pages of a mission. Its label is `campaigns.<name>` of the messages. */
export type ConditionView = {
  /** The kind of its value, which determines the control. */
  readonly kind: keyof typeof kinds;
  /** The message below a control of minutes; a further one joins this type. */
  readonly hint?: 'cooldownHint';
  /** Fields with one number share a row. */
  readonly row: number;
  /** Its sentence; undefined if it is not set, or if another condition's sentence includes it. */
  readonly sentence: (conditions: MissionConditions, tools: SentenceTools) => string | undefined;
};

/** Every condition, in the order of the form and of the sentences. One that is missing here does not compile. */
export const conditions = {
  minAmount: {
    kind: 'amount',
    row: 1,
    sentence: ({ minAmount }, { t }) => (minAmount === undefined ? undefined : t('minAmount', { amount: minAmount })),
  },
  maxAmount: {
    kind: 'amount',
    row: 1,
    sentence: ({ maxAmount }, { t }) => (maxAmount === undefined ? undefined : t('maxAmount', { amount: maxAmount })),
  },
  maxPerPeriod: {
    kind: 'amount',
    row: 1,
    sentence: ({ maxPerPeriod }, { t, period }) =>
      maxPerPeriod === undefined ? undefined : t('maxPerPeriod', { amount: maxPerPeriod, period }),
  },
  daysOfWeek: {
    kind: 'days',
    row: 2,
    sentence: ({ daysOfWeek }, { t, day, format }) =>
      daysOfWeek.length === 0
        ? undefined
        : t('days', { days: format.list(daysOfWeek.map((each) => day(dayName(each)))) }),
  },
  timeFrom: {
    kind: 'time',
    row: 3,
    sentence: ({ timeFrom, timeTo }, { t }) =>
      timeFrom === undefined && timeTo === undefined
        ? undefined
        : t('hours', { from: timeFrom ?? '00:00', to: timeTo ?? '24:00' }),
  },
  timeTo: { kind: 'time', row: 3, sentence: () => undefined },
  prerequisiteMissionIds: {
    kind: 'missions',
    row: 4,
    sentence: ({ prerequisiteMissionIds: ids }, { t }) =>
      ids.length === 0 ? undefined : t('prerequisites', { count: ids.length }),
  },
  expression: {
    kind: 'expression',
    row: 5,
    sentence: ({ expression }, { t, words, format }) =>
      expression === undefined
        ? undefined
        : t('expression', { expression: expressionInWords(expression, { t: words, format }) }),
  },
  cooldownMinutes: {
    kind: 'minutes',
    hint: 'cooldownHint',
    row: 6,
    sentence: ({ cooldownMinutes }, { t }) =>
      cooldownMinutes === undefined ? undefined : t('cooldown', { minutes: cooldownMinutes }),
  },
} as const satisfies Readonly<Record<ConditionName, ConditionView>>;

/** The names of the conditions, in the order of the form. */
export const conditionNames = Object.keys(conditions) as readonly ConditionName[];

/** The fields of a mission's conditions. */
export type ConditionValues = {
  [Name in ConditionName]: (typeof kinds)[(typeof conditions)[Name]['kind']]['empty'];
};

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
