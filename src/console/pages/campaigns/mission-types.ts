import { CalendarRange, Flame, type LucideIcon, Repeat, Timer } from 'lucide-react';
import { Mission_Period, Mission_Type, MissionConditions_Day } from '../../../../gen/laurel/v1/mission_pb.ts';
import { enumName, type EnumName } from '../../api/enum-name.ts';

/** The aggregation of a mission's events, by its name in the proto. */
export type MissionTypeName = EnumName<typeof Mission_Type>;

/** The fields of a mission that only some types have. `endsAt` is shown as a separate field for these only. */
export type TypedField =
  | 'period'
  | 'perPeriodTarget'
  | 'gracePeriods'
  | 'milestones'
  | 'onReversal'
  | 'occurrences'
  | 'durationDays'
  | 'endsAt'
  | 'repeat';

/**
 * The fields and the display of a type. Its texts are among the messages of campaigns: types, typeHints, targetHints,
 * sentences.
 */
type MissionTypeView = {
  /** A picture, the same wherever the type is shown. */
  readonly icon: LucideIcon;
  /** Which fields its form has beside those of every type. */
  readonly fields: readonly TypedField[];
  /** Whether it must have days, or an end. */
  readonly needsWindow: boolean;
  /** Whether it must say how many completed periods complete it. */
  readonly needsOccurrences: boolean;
  /** Whether its target is a number of periods, and so whole. */
  readonly isTargetInPeriods: boolean;
};

const plain = { fields: [], needsWindow: false, needsOccurrences: false, isTargetInPeriods: false };

/** Every mission type, in the order in which they are offered: the plainest first. */
export const missionTypes: Readonly<Record<MissionTypeName, MissionTypeView>> = {
  MISSION: { ...plain, icon: CalendarRange, fields: ['repeat'] },
  CHALLENGE: { ...plain, icon: Timer, fields: ['durationDays', 'endsAt', 'repeat'], needsWindow: true },
  STREAK: {
    ...plain,
    icon: Flame,
    fields: ['period', 'perPeriodTarget', 'gracePeriods', 'milestones', 'onReversal'],
    isTargetInPeriods: true,
  },
  ROUTINE: { ...plain, icon: Repeat, fields: ['period', 'occurrences', 'onReversal'], needsOccurrences: true },
};

/** The names of the mission types, in the order in which they are offered. */
export const missionTypeNames = Object.keys(missionTypes) as readonly MissionTypeName[];

/** Whether the form of a type has a field. */
export function hasField(type: MissionTypeName, field: TypedField): boolean {
  return missionTypes[type].fields.includes(field);
}

/** The calendar periods of streaks and routines. */
export const periods = ['DAY', 'WEEK', 'MONTH'] as const;

/** The name of a period. */
export type PeriodName = (typeof periods)[number];

/** The values that a mission of AMOUNT events adds up. */
export const countedValues = ['AMOUNTS', 'EVENTS'] as const;

/** The ways to treat a period that is over when its event is returned. */
export const pastPeriodValues = ['KEEP', 'STRICT'] as const;

/** How often a mission is completed. */
export const repetitions = ['ONCE', 'AGAIN'] as const;

/** The days of the week, as the service counts them. */
export const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

/** The name of a day of the week. */
export type DayName = (typeof days)[number];

/**
 * The name of a mission type.
 * @throws Error for a type that is newer than this page
 */
export function missionTypeName(type: Mission_Type): MissionTypeName {
  return enumName(Mission_Type, type);
}

/** The name of a period; DAY for none, as the service reads it. */
export function periodName(period: Mission_Period | undefined): PeriodName {
  return periods.find((name) => Mission_Period[name] === period) ?? 'DAY';
}

/** The name of a day of the week. */
export function dayName(day: MissionConditions_Day): DayName {
  return enumName(MissionConditions_Day, day);
}
