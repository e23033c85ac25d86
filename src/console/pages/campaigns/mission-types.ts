import { CalendarRange, Flame, type LucideIcon, Repeat, Timer } from 'lucide-react';
import { Mission_Period, Mission_Type, MissionConditions_Day } from '../../../../gen/laurel/v1/mission_pb.ts';

/** How a mission's events add up, by the name that the protos give it. */
export type MissionTypeName = 'MISSION' | 'CHALLENGE' | 'STREAK' | 'ROUTINE';

/** Every mission type, in the order in which they are offered: the plainest first. */
export const missionTypes: readonly MissionTypeName[] = ['MISSION', 'CHALLENGE', 'STREAK', 'ROUTINE'];

/** A picture for each type, the same wherever the type is shown. */
export const missionIcons: Readonly<Record<MissionTypeName, LucideIcon>> = {
  MISSION: CalendarRange,
  CHALLENGE: Timer,
  STREAK: Flame,
  ROUTINE: Repeat,
};

/** The calendar periods of streaks and routines. */
export const periods = ['DAY', 'WEEK', 'MONTH'] as const;

/** The name of a period. */
export type PeriodName = (typeof periods)[number];

/** The days of the week, as the service counts them. */
export const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

/** The name of a day of the week. */
export type DayName = (typeof days)[number];

/** The name of a mission type; MISSION for a value that this page does not know. */
export function missionTypeName(type: Mission_Type): MissionTypeName {
  return missionTypes.find((name) => Mission_Type[name] === type) ?? 'MISSION';
}

/** The name of a period; DAY for none, as the service reads it. */
export function periodName(period: Mission_Period | undefined): PeriodName {
  return periods.find((name) => Mission_Period[name] === period) ?? 'DAY';
}

/** The name of a day of the week. */
export function dayName(day: MissionConditions_Day): DayName {
  return days.find((name) => MissionConditions_Day[name] === day) ?? 'MONDAY';
}
