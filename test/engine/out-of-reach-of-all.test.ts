import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMission } from '../../src/engine/missions/compile-mission.ts';
import type { MissionConditions, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { outOfReach } from '../../src/engine/missions/out-of-reach.ts';
import { type Calendar, calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { DAY, MINUTE, type Timestamp } from '../../src/kernel/time/timestamp.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { HOUR, instant, mission, player, units } from './fixtures.ts';

describe('the most that a cap is reported to let count is what a traveller really reaches', () => {
  const WEST = 'Etc/GMT+12';
  const EAST = 'Etc/GMT-14';

  /** The amount that counts for an account whose events arrive in this order, with a cap of one a day. */
  function reached(
    rule: Partial<MissionRule>,
    moves: Calendar['past'],
    arrivals: readonly [at: string, now: string][],
  ) {
    const daily = mission({ ...rule, target: units(1_000), conditions: { ...rule.conditions, maxPerPeriod: ONE } });
    const calendar = { timeZone: EAST, past: moves };
    const account = player([daily], [], { calendar });
    for (const [at, now] of arrivals) account.send({ at, now });
    return { plan: compileMission(daily), progress: account.assignments.get('m1')?.progress };
  }

  test('with events that occurred before the activation, and eastwards', () => {
    const since = '2026-06-03T11:59:59.999Z';
    const { plan, progress } = reached(
      { endsAt: instant('2026-06-05T10:00:00.001Z') },
      [{ until: instant('2026-06-01T12:00:00.001Z'), timeZone: WEST }],
      [
        // The last moment of 31 May, the first of 1 June, and then two hours into 2 June.
        ['2026-06-01T11:59:59.999Z', since],
        ['2026-06-01T12:00:00.000Z', since],
        ['2026-06-01T12:00:00.001Z', since],
        ['2026-06-02T12:00:00Z', since],
        ['2026-06-03T12:00:00Z', '2026-06-03T12:00:00Z'],
        ['2026-06-04T12:00:00Z', '2026-06-04T12:00:00Z'],
        ['2026-06-05T10:00:00Z', '2026-06-05T10:00:00Z'],
      ],
    );
    expect(progress).toBe(units(7));
    expect(outOfReach(plan, calendarOfZone('UTC'), instant(since))).toEqual({ reason: 'CAPPED', most: units(7) });
  });

  test('in a challenge, with events that occurred before the one that began it', () => {
    const begun = '2026-06-03T11:59:59.999Z';
    const { plan, progress } = reached(
      { type: 'CHALLENGE', durationDays: 3 },
      [{ until: instant('2026-06-01T12:00:00.001Z'), timeZone: WEST }],
      [
        [begun, begun],
        ['2026-06-01T11:59:59.999Z', begun],
        ['2026-06-01T12:00:00.000Z', begun],
        ['2026-06-01T12:00:00.001Z', begun],
        ['2026-06-02T11:00:00Z', begun],
        ['2026-06-04T11:00:00Z', '2026-06-04T11:00:00Z'],
        ['2026-06-05T11:00:00Z', '2026-06-05T11:00:00Z'],
        ['2026-06-06T11:00:00Z', '2026-06-06T11:00:00Z'],
      ],
    );
    expect(progress).toBe(units(8));
    expect(outOfReach(plan, calendarOfZone('UTC'), 0)).toEqual({ reason: 'CAPPED', most: units(8) });
  });

  test('on one Monday that is lived through three times, westwards', () => {
    const monday = { daysOfWeek: [1] };
    const tuesday = { begins: instant('2026-06-01T12:00:00Z'), goesOn: instant('2026-06-01T12:00:00.001Z') };
    const { plan, progress } = reached(
      {
        conditions: monday,
        startsAt: instant('2026-05-31T10:00:00Z'),
        endsAt: instant('2026-06-02T10:00:00.002Z'),
      },
      [
        { until: tuesday.begins, timeZone: EAST },
        { until: tuesday.goesOn, timeZone: WEST },
        { until: instant('2026-06-02T10:00:00.001Z'), timeZone: EAST },
        // At the beginning of Wednesday in the east, it is Monday evening in the west.
        { until: instant('2026-06-02T10:00:00.002Z'), timeZone: WEST },
      ],
      [
        ['2026-05-31T10:00:00Z', '2026-05-31T10:00:00Z'],
        ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00Z'],
        ['2026-06-02T10:00:00.001Z', '2026-06-02T10:00:00.001Z'],
      ],
    );
    expect(progress).toBe(units(3));
    expect(outOfReach(plan, calendarOfZone('UTC'), 0)).toEqual({ reason: 'CAPPED', most: units(3) });
  });
});

const SLOT = 15 * MINUTE;
const SLOTS_PER_DAY = DAY / SLOT;
const ZONES = ['UTC', 'Europe/Madrid', 'Pacific/Niue', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Etc/GMT+12'];
/** The week in which Madrid's clocks change, and a week without a change. */
const WEEKS = ['2026-03-25T00:00:00Z', '2026-10-22T00:00:00Z', '2026-06-01T00:00:00Z'].map(instant);

const clock = fc.integer({ min: 0, max: SLOTS_PER_DAY - 1 }).map((slot) => {
  const minutes = slot * 15;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
});
const hours: fc.Arbitrary<MissionConditions> = fc.record({
  daysOfWeek: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
  timeFrom: fc.option(clock, { nil: undefined }),
  timeTo: fc.option(clock, { nil: undefined }),
});
const unit = fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH');
const zone = fc.constantFrom(...ZONES);

/** A window of up to `days` that begins and ends on a quarter of an hour, like all changes of zones. */
const window = (days: number) =>
  fc
    .tuple(
      fc.constantFrom(...WEEKS),
      fc.integer({ min: 0, max: 4 * SLOTS_PER_DAY }),
      fc.integer({ min: 1, max: days * SLOTS_PER_DAY }),
    )
    .map(([week, begin, length]) => ({ from: week + begin * SLOT, until: week + (begin + length) * SLOT }));

/** The periods in which an event could count, found by a check of every quarter of an hour with Temporal. */
function naivePeriods(
  by: PeriodUnit,
  conditions: MissionConditions,
  timeZone: string,
  from: Timestamp,
  until: Timestamp,
) {
  const { daysOfWeek = [], timeFrom = '00:00', timeTo = '00:00' } = conditions;
  const end = timeTo === '00:00' ? '24:00' : timeTo;
  const opensOn = (date: Temporal.PlainDate) => daysOfWeek.length === 0 || daysOfWeek.includes(date.dayOfWeek);
  const periods = new Set<string>();
  for (let at = from; at < until; at += SLOT) {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    const date = local.toPlainDate();
    const time = local.toPlainTime().toString().slice(0, 5);
    const isOpen =
      timeFrom < end
        ? timeFrom <= time && time < end && opensOn(date)
        : (timeFrom <= time && opensOn(date)) || (time < end && opensOn(date.subtract({ days: 1 })));
    if (!isOpen) continue;
    if (by === 'WEEK') periods.add(`${date.yearOfWeek}-${date.weekOfYear}`);
    else periods.add(date.toString().slice(0, by === 'DAY' ? 10 : 7));
  }
  return periods.size;
}

describe('for any hours, window and zone', () => {
  test('what is reported out of reach is so where every quarter of an hour is looked at', () => {
    fc.assert(
      fc.property(
        unit,
        hours,
        zone,
        window(20),
        fc.integer({ min: 1, max: 12 }),
        (by, conditions, timeZone, { from, until }, needed) => {
          const crosses = conditions.timeTo !== undefined && conditions.timeTo <= (conditions.timeFrom ?? '00:00');
          // The API refuses such a definition.
          fc.pre(!(by === 'DAY' && crosses && (conditions.daysOfWeek ?? []).length > 0));
          const plan = compileMission(
            mission({
              type: 'STREAK',
              target: units(needed),
              conditions,
              period: by,
              startsAt: from,
              endsAt: until,
            }),
          );
          const found = outOfReach(plan, calendarOfZone(timeZone), 0);
          const naive = naivePeriods(by, conditions, timeZone, from, until);
          if (found?.reason === 'NEVER_OPEN') expect(naive).toBe(0);
          else expect(naive, 'hours that never meet are reported').toBeGreaterThan(0);
          if (found?.reason === 'TOO_FEW_PERIODS') expect(naive).toBeLessThanOrEqual(found.available);
          // In a week without a clock change the result is exact in both directions.
          if (timeZone !== 'Europe/Madrid' && found?.reason !== 'NEVER_OPEN')
            expect(found).toEqual(naive < needed ? { reason: 'TOO_FEW_PERIODS', needed, available: naive } : undefined);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('an account that does what it can, in any zones and with events as late as can be, never reaches what is reported out of reach', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: -48, max: 240 }), zone), { maxLength: 3 });
    const lasting = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
    fc.assert(
      fc.property(
        unit,
        hours,
        zone,
        moves,
        window(9),
        lasting,
        fc.integer({ min: 0, max: 9 }),
        (by, conditions, home, journey, { from, until }, durationDays, begin) => {
          const calendar = travelled(home, journey, from);
          const rule = (target: bigint) =>
            mission({
              type: durationDays === undefined ? 'MISSION' : 'CHALLENGE',
              durationDays,
              target,
              period: by,
              conditions: { ...conditions, maxPerPeriod: units(2) },
              endsAt: until,
            });
          const found = outOfReach(compileMission(rule(units(1_000))), calendarOfZone('UTC'), from);
          fc.pre(found?.reason === 'CAPPED');
          const most = found?.reason === 'CAPPED' ? found.most : 0n;
          const account = player([rule(most + 1n)], [], { calendar });
          // One event each hour. The first is so late that the day before it may still arrive.
          const first = from + begin * 12 * HOUR;
          for (let at = first; at < until; at += HOUR) {
            account.send({ at, amount: units(2) });
            if (at < first + DAY) account.send({ at: at - DAY, now: at, amount: units(2) });
          }
          const state = account.assignments.get('m1');
          expect(state?.status ?? 'ACTIVE').toBe('ACTIVE');
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** The calendar of an account that moved to other zones, hours before or after `from`. */
function travelled(home: string, journey: readonly (readonly [number, string])[], from: Timestamp): Calendar {
  const moves = journey.map(([after, to]) => ({ at: from + after * HOUR, to })).toSorted((a, b) => a.at - b.at);
  const zones = [home, ...moves.map(({ to }) => to)];
  return { timeZone: zones.at(-1)!, past: moves.map(({ at }, index) => ({ until: at, timeZone: zones[index]! })) };
}
