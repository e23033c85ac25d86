import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';

/** Calendar periods: local days, ISO weeks (Monday to Sunday), months. */
export type PeriodUnit = 'DAY' | 'WEEK' | 'MONTH';

/** The same, and years. */
export type CalendarUnit = PeriodUnit | 'YEAR';

/**
 * The number of a period: consecutive periods of one unit differ by one. Days count from 1970-01-01, weeks from the week of 1969-12-29,
 * months from January 1970, years from 1970.
 */
export type PeriodNumber = number;

/** 1970-01-01 was a Thursday: the Monday of its week is three days earlier. */
const DAYS_SINCE_MONDAY = 3;

/** The name of a period for people and in rows: `2026-03-29`, `2026-W13`, `2026-03` or `2026`. */
export function periodKey(unit: CalendarUnit, period: PeriodNumber): string {
  const firstDay = new Date(firstDayOf(unit, period) * DAY);
  return unit === 'WEEK' ? isoWeek(firstDay) : firstDay.toISOString().slice(0, KEY_LENGTH[unit]);
}

/** The characters of an ISO date that name a period. */
const KEY_LENGTH = { DAY: 10, MONTH: 7, YEAR: 4 } as const;

/** The number of the period with a key of {@link periodKey}. */
export function periodOfKey(unit: CalendarUnit, key: string): PeriodNumber {
  if (unit !== 'WEEK') return periodOfDay(unit, Date.parse(key) / DAY);
  const [year, week] = key.split('-W').map(Number);
  // 4 January is always in week 1.
  return periodOfDay(unit, Date.UTC(year ?? 0, 0, 4) / DAY) + (week ?? 0) - 1;
}

/** The instant at which a period begins in a zone: usually midnight, later where the clocks skip midnight. */
export function startOfPeriod(unit: CalendarUnit, period: PeriodNumber, timeZone: string): Timestamp {
  return startOfDay(firstDayOf(unit, period), timeZone);
}

/**
 * The instant whose period is the oldest that still takes events. Events may occur a day before they arrive, and the shortest day has 23
 * hours. The second day is for events that were accepted in time and then had to wait.
 */
export function oldestReachable(now: Timestamp): Timestamp {
  return now - 2 * DAY;
}

/** The ISO day of the week, Monday 1 to Sunday 7. */
export function dayOfWeek(day: number): number {
  const sinceMonday = (day + DAYS_SINCE_MONDAY) % 7;
  return (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday) + 1;
}

/** The period to which a local day belongs. */
export function periodOfDay(unit: CalendarUnit, day: number): PeriodNumber {
  if (unit === 'DAY') return day;
  if (unit === 'WEEK') return Math.floor((day + DAYS_SINCE_MONDAY) / 7);
  const date = new Date(day * DAY);
  const years = date.getUTCFullYear() - 1970;
  return unit === 'YEAR' ? years : years * 12 + date.getUTCMonth();
}

/** Days in the shortest period of a unit. */
export const SHORTEST_DAYS: Readonly<Record<PeriodUnit, number>> = { DAY: 1, WEEK: 7, MONTH: 28 };

function firstDayOf(unit: CalendarUnit, period: PeriodNumber): number {
  if (unit === 'DAY') return period;
  if (unit === 'WEEK') return period * 7 - DAYS_SINCE_MONDAY;
  return (unit === 'YEAR' ? Date.UTC(1970 + period, 0, 1) : Date.UTC(1970, period, 1)) / DAY;
}

/** A week belongs to the year of its Thursday, and week 1 is the one with that year's first Thursday. */
function isoWeek(monday: Date): string {
  const thursday = new Date(monday.getTime() + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The starts of days by `zone day`: a feed needs the same few again and again. */
const starts = new Map<string, Timestamp>();
const STARTS_KEPT = 10_000;

function startOfDay(day: number, timeZone: string): Timestamp {
  const key = `${timeZone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
  const start = date.toZonedDateTime(timeZone).epochMilliseconds;
  if (starts.size >= STARTS_KEPT) starts.clear();
  starts.set(key, start);
  return start;
}
