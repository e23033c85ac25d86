import { dayOfWeek, type PeriodNumber } from '../time/period.ts';
import { zoneOffset } from '../time/time-zone.ts';
import { DAY, MINUTE, type Timestamp } from '../time/timestamp.ts';

/** Days and times of day at which events count. */
export type OpeningHours = {
  /** One entry per ISO day of the week; entry 0 is unused. */
  readonly days: readonly boolean[];
  /** Minutes after midnight, `from` counts, `to` does not. `to` not above `from`: open into the next day. */
  readonly from: number;
  readonly to: number;
};

/**
 * Whether events count at an instant. Hours that cross midnight belong to the day on which they open: FRIDAY 22:00 to
 * 02:00 takes Saturday at one in the morning, and not Friday at one.
 */
export function isOpenAt(hours: OpeningHours, timeZone: string, instant: Timestamp): boolean {
  const local = instant + zoneOffset(timeZone, instant);
  const day = Math.floor(local / DAY);
  const minute = Math.floor((local - day * DAY) / MINUTE);
  if (hours.from < hours.to) return hours.from <= minute && minute < hours.to && isOpenOn(hours, day);
  if (minute >= hours.from) return isOpenOn(hours, day);
  return minute < hours.to && isOpenOn(hours, day - 1);
}

/** Whether there are hours that open on a day, given as its number. */
export function isOpenOn(hours: OpeningHours, day: PeriodNumber): boolean {
  return hours.days[dayOfWeek(day)] === true;
}
