import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import {
  type Calendar,
  calendarOf,
  calendarOfZone,
  periodAt,
  periodEnd,
  periodStart,
} from '../../src/engine/time/calendar.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import type { Timestamp } from '../../src/kernel/time/timestamp.ts';
import { HOUR, instant, mission, player, reasonOf, units } from './fixtures.ts';

/** The calendar of an account that moved once. */
function moved(from: string, to: string, at: string): Calendar {
  return { timeZone: to, past: [{ until: instant(at), timeZone: from }] };
}

/** A mission that pays once a day. */
const daily = mission({ type: 'ROUTINE', target: units(1) });

describe('a change of the zone westwards', () => {
  const calendar = moved('Pacific/Kiritimati', 'UTC', '2027-06-01T11:30:00Z');

  test('pays the day in progress once, until the new zone has passed it', () => {
    const account = player([daily], [], { calendar });
    expect(account.send({ at: '2027-06-01T11:00:00Z' })).toMatchObject([{ assignment: { periodKey: '2027-06-02' } }]);
    for (const at of ['2027-06-01T11:30:00Z', '2027-06-02T00:00:00Z', '2027-06-02T23:59:59Z'])
      expect(reasonOf(account.send({ at }))).toBe('ALREADY_COMPLETED');
    expect(account.send({ at: '2027-06-03T00:00:00Z' })).toMatchObject([{ assignment: { periodKey: '2027-06-03' } }]);
  });

  test('shows the day in progress until the new zone has passed it', () => {
    const account = player([daily], [], { calendar });
    expect(viewMission(account.plan(), account, instant('2027-06-01T12:00:00Z'))).toMatchObject({
      periodKey: '2027-06-02',
      startsAt: instant('2027-06-01T10:00:00Z'),
      expiresAt: instant('2027-06-03T00:00:00Z'),
    });
  });

  test('refills no cap', () => {
    const account = player([mission({ conditions: { maxPerPeriod: units(1) } })], [], { calendar });
    account.send({ at: '2027-06-01T11:00:00Z' });
    expect(reasonOf(account.send({ at: '2027-06-01T11:30:00Z' }))).toBe('CAP_REACHED');
    expect(reasonOf(account.send({ at: '2027-06-02T23:59:59Z' }))).toBe('CAP_REACHED');
    expect(reasonOf(account.send({ at: '2027-06-03T00:00:00Z' }))).toBe('progressed');
  });

  test('keeps one period of a streak, not two', () => {
    const account = player([mission({ type: 'STREAK' })], [], { calendar });
    account.send({ at: '2027-06-01T11:00:00Z' });
    expect(reasonOf(account.send({ at: '2027-06-01T11:30:00Z' }))).toBe('PERIOD_KEPT');
    expect(reasonOf(account.send({ at: '2027-06-02T23:59:59Z' }))).toBe('PERIOD_KEPT');
  });
});

describe('a change of the zone eastwards', () => {
  /** The run after one kept period, as a read at the given time shows it. */
  function runAt(period: PeriodUnit, calendar: Calendar, kept: string, time: string): number | undefined {
    const account = player([mission({ type: 'STREAK', period })], [], { calendar });
    account.send({ at: kept });
    return viewMission(account.plan(), account, instant(time))?.streak?.current;
  }

  test.each([
    // From the evening of 1 June in Niue to the first hour of 3 June in Kiritimati: 2 June was skipped, and 3 June is the day of arrival.
    ['on the last moment of the day after that of arrival', '2027-06-04T09:59:59Z', 1],
    ['once that is over', '2027-06-04T10:00:00Z', 0],
  ])('ends no streak by the days that it skipped or shortened: %s', (_, time, run) => {
    const calendar = moved('Pacific/Niue', 'Pacific/Kiritimati', '2027-06-02T10:30:00Z');
    expect(runAt('DAY', calendar, '2027-06-02T08:00:00Z', time)).toBe(run);
  });

  test.each<[PeriodUnit, string, string, string, number]>([
    ['WEEK', 'with more than a day left is asked for', '2027-06-12T14:59:59Z', '2027-06-14T12:00:00Z', 0],
    ['WEEK', 'with a day left is not', '2027-06-12T15:00:00Z', '2027-06-14T12:00:00Z', 1],
    ['MONTH', 'with more than a day left is asked for', '2027-06-29T14:59:59Z', '2027-07-01T12:00:00Z', 0],
    ['MONTH', 'with a day left is not', '2027-06-29T15:00:00Z', '2027-07-01T12:00:00Z', 1],
  ])('in a %s %s', (unit, _, at, time, run) => {
    const kept = unit === 'WEEK' ? '2027-06-04T12:00:00Z' : '2027-05-20T12:00:00Z';
    expect(runAt(unit, moved('Europe/Madrid', 'Asia/Tokyo', at), kept, time)).toBe(run);
  });
});

describe("an account's calendar", () => {
  const client = moved('Pacific/Kiritimati', 'UTC', '2027-06-01T11:30:00Z');
  const dayAt = (calendar: Calendar) => periodAt('DAY', calendar, instant('2027-06-01T12:00:00Z'));
  const [first, second] = ['2027-06-01', '2027-06-02'].map((date) => instant(date) / (24 * HOUR));

  test('without a zone of its own is that of its client, with its changes', () => {
    expect(dayAt(calendarOf({ timeZone: undefined, past: [] }, client))).toBe(second);
  });

  test('with a zone of its own has none of them', () => {
    expect(dayAt(calendarOf({ timeZone: 'UTC', past: [] }, client))).toBe(first);
  });

  test('that got a zone of its own later has those before it', () => {
    const own = { timeZone: 'UTC', past: [{ until: instant('2027-06-01T11:00:00Z'), timeZone: undefined }] };
    expect(dayAt(calendarOf(own, client))).toBe(second);
  });

  test('never goes back, and a period holds every instant between its bounds, whatever the zones were', () => {
    const zone = fc.constantFrom('Pacific/Niue', 'America/Santiago', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati');
    const [begin, end] = [instant('2027-06-01'), instant('2027-06-08')];
    const time = fc.integer({ min: begin, max: end });
    const changes = fc.array(fc.record({ until: time, timeZone: zone }), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH'),
        zone,
        changes,
        time,
        time,
        (unit, now, past, a, b) => {
          const sorted = past.toSorted((one, other) => one.until - other.until);
          const calendar = past.length === 0 ? calendarOfZone(now) : { timeZone: now, past: sorted };
          const at = (instant: Timestamp) => periodAt(unit, calendar, instant);
          expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)));
          const [start, over] = [periodStart(unit, at(a), calendar), periodEnd(unit, at(a), calendar)];
          expect(start <= a && a < over).toBe(true);
          expect([at(start), at(over - 1)]).toEqual([at(a), at(a)]);
          expect(at(start - 1)).toBeLessThan(at(a));
          expect(at(over)).toBeGreaterThan(at(a));
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
