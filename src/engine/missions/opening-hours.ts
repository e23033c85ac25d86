import { dayOfWeek, type PeriodNumber } from '../time/period.ts';
import { nextChange, zoneOffset } from '../../kernel/time/time-zone.ts';
import { DAY, MINUTE, type Timestamp } from '../../kernel/time/timestamp.ts';

const DAYS_PER_WEEK = 7;

/** Days and times of day at which events count. */
export type OpeningHours = {
  /** One entry per ISO day of the week; entry 0 is unused. */
  readonly days: readonly boolean[];
  /** Minutes after midnight, `from` counts, `to` does not. `to` not above `from`: open into the next day. */
  readonly from: number;
  readonly to: number;
};

/**
 * Whether events count at an instant. Hours that cross midnight belong to the day on which they open: Friday 22:00 to 02:00 includes
 * Saturday at 01:00, not Friday at 01:00.
 */
export function isOpenAt(hours: OpeningHours, timeZone: string, instant: Timestamp): boolean {
  const local = instant + zoneOffset(timeZone, instant);
  const day = Math.floor(local / DAY);
  const minute = Math.floor((local - day * DAY) / MINUTE);
  if (hours.from < hours.to) return hours.from <= minute && minute < hours.to && isOpenOn(hours, day);
  if (minute >= hours.from) return isOpenOn(hours, day);
  return minute < hours.to && isOpenOn(hours, day - 1);
}

/**
 * The first instant of a time range at which events count, or undefined if there is none. Skipped hours have no
 * instants: 02:00 to 03:00 does not open in the night in which the clocks go from two to three.
 * @param until exclusive; may be `Infinity`
 */
export function firstOpening(
  hours: OpeningHours,
  timeZone: string,
  from: Timestamp,
  until: Timestamp,
): Timestamp | undefined {
  // Between two changes of the clocks, local time is plain arithmetic and all weeks are the same.
  for (let begin = from; begin < until; begin = nextChange(timeZone, begin)) {
    if (isOpenAt(hours, timeZone, begin)) return begin;
    const end = Math.min(until, nextChange(timeZone, begin));
    const offset = zoneOffset(timeZone, begin);
    const today = Math.floor((begin + offset) / DAY);
    for (let day = today; day <= today + DAYS_PER_WEEK; day += 1) {
      const opens = day * DAY + hours.from * MINUTE - offset;
      if (opens >= begin && opens < end && isOpenOn(hours, day)) return opens;
    }
  }
  return undefined;
}

/** Whether some hours are open on a day, given as its number, including hours that opened on the day before. */
export function isOpenDuring(hours: OpeningHours, day: PeriodNumber): boolean {
  return isOpenOn(hours, day) || (crossesMidnight(hours) && isOpenOn(hours, day - 1));
}

function crossesMidnight({ from, to }: OpeningHours): boolean {
  return to <= from;
}

/** Whether hours open on a day, given as its number. */
export function isOpenOn(hours: OpeningHours, day: PeriodNumber): boolean {
  return hours.days[dayOfWeek(day)] === true;
}
