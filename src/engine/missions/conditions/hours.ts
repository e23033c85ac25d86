import { sentence } from '../../../kernel/sentence.ts';
import { zoneOf } from '../../../kernel/time/zone-history.ts';
import type { MissionConditions, MissionRule } from '../mission-rule.ts';
import { missionTypes, namesOfTypes } from '../mission-types.ts';
import { firstOpening, isOpenAt, type OpeningHours } from '../opening-hours.ts';
import { neverOpen } from '../out-of-reach.ts';
import type { Condition } from './condition.ts';

/** `daysOfWeek`, `timeFrom` and `timeTo`, which are one condition: an event counts if it occurred on these days, at these times. */
export const hours: Condition<'daysOfWeek' | 'timeFrom' | 'timeTo'> = {
  forms: { daysOfWeek: 'days', timeFrom: 'text', timeTo: 'text' },
  apply: (conditions) => {
    const opening = openingHours(conditions)!;
    return {
      by: 'event',
      refusals: {
        OUTSIDE_HOURS: ({ occurredAt }, { calendar }) => !isOpenAt(opening, zoneOf(calendar, occurredAt), occurredAt),
      },
    };
  },
  state: 'none',
  /** A lock while the hours are closed. */
  lock: (conditions) => {
    const opening = openingHours(conditions)!;
    return ({ calendar }, now, expiresAt) => {
      const timeZone = zoneOf(calendar, now);
      if (isOpenAt(opening, timeZone, now)) return [];
      return [{ kind: 'OUTSIDE_HOURS', isMet: false, opensAt: firstOpening(opening, timeZone, now, expiresAt) }];
    };
  },
  reach: neverOpen,
  bound: 'none',
  checks: [
    (rule) =>
      hasPeriodsOfDays(rule) &&
      (rule.conditions?.daysOfWeek?.length ?? 0) > 0 &&
      crossesMidnight(rule) &&
      sentence`A daily ${namesOfTypes(({ isSeries }) => isSeries)} cannot have both daysOfWeek and hours that cross midnight: such a night would be two days.`,
  ],
};

const MINUTES_PER_DAY = 1440;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** The hours of a mission; undefined if events count at any time. */
export function openingHours({ daysOfWeek = [], timeFrom, timeTo }: MissionConditions): OpeningHours | undefined {
  if (daysOfWeek.length === 0 && timeFrom === undefined && timeTo === undefined) return undefined;
  const days = [false, ...WEEK.map((day) => daysOfWeek.length === 0 || daysOfWeek.includes(day))];
  // An end at midnight is minute 1440 of the same day, so 18:00 to 00:00 does not cross midnight.
  return { days, from: minutes(timeFrom) ?? 0, to: minutes(timeTo) || MINUTES_PER_DAY };
}

function minutes(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const [hour, minute] = time.split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

function hasPeriodsOfDays({ type, period = 'DAY' }: MissionRule): boolean {
  return missionTypes[type].isSeries && period === 'DAY';
}

function crossesMidnight({ conditions: { timeFrom = '00:00', timeTo = '00:00' } = {} }: MissionRule): boolean {
  return timeTo !== '00:00' && timeTo <= timeFrom;
}
