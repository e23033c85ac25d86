import { DAY } from '../../kernel/time/timestamp.ts';
import { periodOfDay, type PeriodUnit } from './period.ts';
import type { PeriodRange } from './calendar.ts';

/** Days of an account's calendar that were announced as a vacation, both ends included, as numbers of days since 1970-01-01. */
export type Vacation = PeriodRange;

/** No vacation. */
export const NO_VACATIONS: readonly Vacation[] = [];

/** The number of a day. @param date an existing one, `2026-03-29` */
export function dayOfDate(date: string): number {
  return Date.parse(date) / DAY;
}

/** The date of a day. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** The periods of which a vacation has a day. */
export function vacationPeriods(unit: PeriodUnit, vacations: readonly Vacation[]): PeriodRange[] {
  return vacations.map(({ first, last }) => ({ first: periodOfDay(unit, first), last: periodOfDay(unit, last) }));
}

/** The same days in ranges that are in order and neither overlap nor touch. */
export function joinedVacations(vacations: readonly Vacation[]): Vacation[] {
  const joined: Vacation[] = [];
  for (const vacation of vacations.toSorted((one, other) => one.first - other.first)) {
    const before = joined.at(-1);
    if (before === undefined || vacation.first > before.last + 1) joined.push(vacation);
    else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, vacation.last) };
  }
  return joined;
}

/** The days up to one, and those after it. */
export function splitVacations(
  vacations: readonly Vacation[],
  today: number,
): { begun: Vacation[]; ahead: Vacation[] } {
  return {
    begun: vacations.flatMap(({ first, last }) => (first > today ? [] : [{ first, last: Math.min(last, today) }])),
    ahead: vacations.flatMap(({ first, last }) => (last <= today ? [] : [{ first: Math.max(first, today + 1), last }])),
  };
}

/** The days that are in no other vacation. */
export function withoutDays(vacations: readonly Vacation[], others: readonly Vacation[]): Vacation[] {
  return others.reduce<readonly Vacation[]>(
    (rest, other) =>
      rest.flatMap(({ first, last }) =>
        [
          { first, last: Math.min(last, other.first - 1) },
          { first: Math.max(first, other.last + 1), last },
        ].filter((part) => part.first <= part.last),
      ),
    vacations,
  ) as Vacation[];
}

/** The number of days in each calendar year. @param vacations joined ones */
export function daysByYear(vacations: readonly Vacation[]): Map<number, number> {
  const days = new Map<number, number>();
  for (const { first, last } of vacations)
    for (let day = first; day <= last; day += 1) {
      const year = 1970 + periodOfDay('YEAR', day);
      days.set(year, (days.get(year) ?? 0) + 1);
    }
  return days;
}
