import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarOfZone, periodAt, periodEnd, periodStart } from '../../src/engine/time/calendar.ts';
import { dayOfWeek, periodKey, periodOfKey, type PeriodUnit } from '../../src/engine/time/period.ts';
import { HOUR, instant } from './fixtures.ts';

function keyAt(unit: PeriodUnit, zone: string, time: string): string {
  return periodKey(unit, periodAt(unit, calendarOfZone(zone), instant(time)));
}

describe('the key of a period', () => {
  test.each<[PeriodUnit, string, string, string]>([
    ['DAY', 'UTC', '2026-03-29T23:59:59.999Z', '2026-03-29'],
    ['DAY', 'Europe/Madrid', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['DAY', 'Europe/Madrid', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['DAY', 'Europe/Madrid', '2026-03-29T22:00:00Z', '2026-03-30'],
    ['DAY', 'America/Santiago', '2026-09-06T03:59:59Z', '2026-09-05'],
    ['DAY', 'America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
    ['DAY', 'UTC', '2028-02-29T12:00:00Z', '2028-02-29'],
    ['DAY', 'UTC', '1969-12-31T23:59:59Z', '1969-12-31'],
    ['WEEK', 'UTC', '2026-03-29T23:59:59Z', '2026-W13'],
    ['WEEK', 'UTC', '2026-03-30T00:00:00Z', '2026-W14'],
    ['WEEK', 'UTC', '2027-01-03T23:59:59Z', '2026-W53'],
    ['WEEK', 'UTC', '2027-01-04T00:00:00Z', '2027-W01'],
    ['WEEK', 'UTC', '2024-12-30T00:00:00Z', '2025-W01'],
    ['MONTH', 'Europe/Madrid', '2026-02-28T23:00:00Z', '2026-03'],
    ['MONTH', 'UTC', '2026-12-31T23:59:59Z', '2026-12'],
    ['MONTH', 'UTC', '1969-12-01T00:00:00Z', '1969-12'],
  ])('%s in %s at %s is %s', (unit, zone, time, key) => {
    expect(keyAt(unit, zone, time)).toBe(key);
  });

  test('of a week is the one that Temporal tells, and leads back to its number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 60_000 }), (day) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        const week = periodAt('WEEK', calendarOfZone('UTC'), day * 24 * HOUR);
        expect(periodKey('WEEK', week)).toBe(`${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`);
        expect(dayOfWeek(day)).toBe(date.dayOfWeek);
      }),
    );
  });

  test.each<PeriodUnit>(['DAY', 'WEEK', 'MONTH'])('leads back to its %s', (unit) => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 2000 }), (period) => {
        expect(periodOfKey(unit, periodKey(unit, period))).toBe(period);
      }),
    );
  });
});

describe('the bounds of a period', () => {
  test.each<[PeriodUnit, string, string, string, string]>([
    ['DAY', 'Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['DAY', 'Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['DAY', 'America/Santiago', '2026-04-04', '2026-04-04T03:00:00Z', '2026-04-05T04:00:00Z'],
    // Santiago's clocks change from 23:59:59 to 01:00: the day begins at one.
    ['DAY', 'America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
    ['WEEK', 'UTC', '2026-W53', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
    ['MONTH', 'UTC', '2028-02', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['MONTH', 'Europe/Madrid', '2026-03', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['MONTH', 'UTC', '2026-12', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ])('%s in %s: %s lasts from %s to %s', (unit, zone, key, start, end) => {
    const period = periodOfKey(unit, key);
    expect(new Date(periodStart(unit, period, calendarOfZone(zone)))).toEqual(new Date(start));
    expect(new Date(periodEnd(unit, period, calendarOfZone(zone)))).toEqual(new Date(end));
  });

  test('hold every instant of the period and none beside it', () => {
    const units = fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH');
    const zones = fc.constantFrom('Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const instants = fc.integer({ min: instant('2026-01-01'), max: instant('2029-01-01') });
    fc.assert(
      fc.property(units, zones, instants, (unit, zone, now) => {
        const calendar = calendarOfZone(zone);
        const period = periodAt(unit, calendar, now);
        const start = periodStart(unit, period, calendar);
        const end = periodEnd(unit, period, calendar);
        expect(start <= now && now < end).toBe(true);
        expect([start - 1, start, end - 1, end].map((edge) => periodAt(unit, calendar, edge) - period)).toEqual([
          -1, 0, 0, 1,
        ]);
      }),
      { numRuns: 500 },
    );
  });
});
