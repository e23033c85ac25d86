import { type ZoneHistory, zoneOf } from '../../kernel/time/zone-history.ts';
import { oldestReachable, periodOfDay, type PeriodNumber, type PeriodUnit, startOfPeriod } from './period.ts';
import { localDay, zoneOffset } from '../../kernel/time/time-zone.ts';
import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';

/**
 * The calendar of an account's periods. Its days have the numbers of local days, but never go back. After a change of the zone westwards,
 * the current day lasts until the new zone has passed it, so that no period is rewarded twice. A change eastwards may skip numbers.
 */
export type Calendar = ZoneHistory<string>;

const plain = new Map<string, Calendar>();

/** About 600 zones exist: see `time-zone.ts`. */
const CALENDARS_KEPT = 1_000;

/** The calendar of one zone that never changed. */
export function calendarOfZone(timeZone: string): Calendar {
  const known = plain.get(timeZone);
  if (known !== undefined) return known;
  const calendar = { timeZone, past: [] };
  if (plain.size >= CALENDARS_KEPT) plain.clear();
  plain.set(timeZone, calendar);
  return calendar;
}

/** The calendar of an account: at each instant its own zone or, without one, its client's. */
export function calendarOf(own: ZoneHistory, client: Calendar): Calendar {
  if (own.past.length === 0) return own.timeZone === undefined ? client : calendarOfZone(own.timeZone);
  const zoneAt = (instant: Timestamp) => zoneOf(own, instant) ?? zoneOf(client, instant);
  const changes = [...own.past, ...client.past].map(({ until }) => until).toSorted((a, b) => a - b);
  const past = changes.map((until) => ({ until, timeZone: zoneAt(until - 1) }));
  return { timeZone: own.timeZone ?? client.timeZone, past };
}

/** The number of the day at an instant, counted from 1970-01-01, which is day 0. */
export function dayAt(calendar: Calendar, instant: Timestamp): number {
  let day = localDay(zoneOf(calendar, instant), instant);
  for (const { until, timeZone } of calendar.past) {
    if (instant < until) break;
    day = Math.max(day, localDay(timeZone, until - 1));
  }
  return day;
}

/** The period in which an instant lies. */
export function periodAt(unit: PeriodUnit, calendar: Calendar, instant: Timestamp): PeriodNumber {
  return periodOfDay(unit, dayAt(calendar, instant));
}

/** The first instant in a period. For a period that a change of the zone skipped: the first instant after it. */
export function periodStart(unit: PeriodUnit, period: PeriodNumber, calendar: Calendar): Timestamp {
  let begin = -Infinity;
  for (const { until, timeZone } of calendar.past) {
    const start = Math.max(begin, startOfPeriod(unit, period, timeZone));
    if (start < until) return start;
    begin = until;
  }
  return Math.max(begin, startOfPeriod(unit, period, calendar.timeZone));
}

/** The first instant after a period. */
export function periodEnd(unit: PeriodUnit, period: PeriodNumber, calendar: Calendar): Timestamp {
  return periodStart(unit, period + 1, calendar);
}

/** The oldest period that still takes events: see {@link oldestReachable}. */
export function oldestOpenPeriod(unit: PeriodUnit, calendar: Calendar, now: Timestamp): PeriodNumber {
  return periodAt(unit, calendar, oldestReachable(now));
}

/** A range of periods, both ends included. */
export type PeriodRange = { readonly first: PeriodNumber; readonly last: PeriodNumber };

/**
 * Periods shortened by changes of the zone eastwards; a missed one is excused. They are the skipped periods, and the periods that ended
 * within a day after the change, from the period in progress on. A change earlier in a long period leaves more than a day of it.
 */
export function shortenedPeriods(unit: PeriodUnit, calendar: Calendar): PeriodRange[] {
  const { past } = calendar;
  return past.flatMap(({ until, timeZone }, index) => {
    const next = past[index + 1]?.timeZone ?? calendar.timeZone;
    if (zoneOffset(next, until) <= zoneOffset(timeZone, until)) return [];
    const range = {
      first: periodAt(unit, calendar, until - 1),
      last: periodAt(unit, calendar, until + DAY) - 1,
    };
    return range.first <= range.last ? [range] : [];
  });
}
