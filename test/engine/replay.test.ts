import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { HOUR, instant, mission, player, units, type Player } from './fixtures.ts';
import { replay, replayRoutine, type Arrival } from './naive-model.ts';

/** Where a history begins: days before each change of the clocks of both hemispheres, before a leap day, before a year of 53 weeks ends. */
const scenes = fc.constantFrom(
  ['Europe/Madrid', '2026-03-26T09:00:00Z'],
  ['Europe/Madrid', '2026-10-22T09:00:00Z'],
  ['America/Santiago', '2026-04-02T09:00:00Z'],
  ['America/Santiago', '2026-09-03T09:00:00Z'],
  ['America/Santiago', '2028-02-26T09:00:00Z'],
  ['Europe/Madrid', '2028-02-26T09:00:00Z'],
  ['Asia/Kolkata', '2026-12-25T09:00:00Z'],
);

/** Hours between arrivals; long enough to miss a period now and then. */
const GAPS: Record<PeriodUnit, number> = { DAY: 40, WEEK: 200, MONTH: 900 };

/** Arrivals in the order of time, each of an event that occurred at most 24 hours before. */
function histories(begin: string, unit: PeriodUnit): fc.Arbitrary<Arrival[]> {
  const step = fc.record({
    gap: fc.oneof(fc.integer({ min: 0, max: 8 * HOUR }), fc.integer({ min: 0, max: GAPS[unit] * HOUR })),
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 24 * HOUR })),
    amount: fc.bigInt({ min: 1n, max: units(4) }),
  });
  return fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
    let now = instant(begin);
    return steps.map(({ gap, late, amount }) => {
      now += gap;
      return { now, at: now - late, amount };
    });
  });
}

const periods = fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH');
const amounts = fc.bigInt({ min: 1n, max: units(6) });
const conditions = fc.record({
  minAmount: fc.option(amounts, { nil: undefined }),
  maxPerPeriod: fc.option(amounts, { nil: undefined }),
});

const targets = fc.bigInt({ min: 1n, max: units(60) });
const missions = fc.record({ type: fc.constant('MISSION' as const), target: targets, period: periods, conditions });
const challenges = fc.record({
  type: fc.constant('CHALLENGE' as const),
  target: targets,
  period: periods,
  // Without a cap: what finds its day full does not begin a challenge, so that the order of arrival would matter.
  conditions: fc.record({ minAmount: fc.option(amounts, { nil: undefined }) }),
  durationDays: fc.integer({ min: 1, max: 9 }),
});
const streaks = fc.record({
  type: fc.constant('STREAK' as const),
  target: fc.integer({ min: 1, max: 25 }).map(units),
  period: periods,
  perPeriodTarget: amounts,
  gracePeriods: fc.integer({ min: 0, max: 3 }),
  conditions,
});
const routines = fc.record({
  type: fc.constant('ROUTINE' as const),
  target: amounts,
  period: periods,
  occurrences: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

/** A rule with a history in a zone, and a moment after it. */
function games<R extends Partial<MissionRule>>(rules: fc.Arbitrary<R>) {
  return fc.tuple(rules, scenes, fc.integer({ min: 0, max: 30 * 24 * HOUR })).chain(([changes, [zone, begin], wait]) =>
    histories(begin, changes.period!).map((arrivals) => ({
      rule: mission(changes),
      zone,
      arrivals,
      now: arrivals.at(-1)!.now + wait,
    })),
  );
}

/** The engine plays the history one event at a time, its state going through JSON in between as it does in the database. */
function play(rule: MissionRule, timeZone: string, arrivals: readonly Arrival[]): Player {
  const account = player([rule], [], { timeZone });
  for (const arrival of arrivals) {
    account.send(arrival);
    for (const [key, state] of account.assignments) {
      const detail = state.detail && JSON.parse(JSON.stringify(state.detail));
      account.assignments.set(key, { ...state, detail });
    }
  }
  return account;
}

describe('event by event the engine comes to what a replay from scratch comes to', () => {
  test.each([
    ['MISSION', missions],
    ['CHALLENGE', challenges],
    ['STREAK', streaks],
  ] as const)('%s', (_, rules: fc.Arbitrary<Partial<MissionRule>>) => {
    fc.assert(
      fc.property(games(rules), ({ rule, zone, arrivals, now }) => {
        const account = play(rule, zone, arrivals);
        const expected = replay(rule, zone, arrivals, now);
        const view = viewMission(account.plan(), account, now);
        expect(view?.progress).toBe(expected.progress);
        expect(view?.status === 'COMPLETED').toBe(expected.isComplete);
        expect(view?.streak).toEqual(expected.streak);
      }),
      { numRuns: 1000 },
    );
  });

  test('ROUTINE', () => {
    fc.assert(
      fc.property(games(routines), ({ rule, zone, arrivals }) => {
        const account = play(rule, zone, arrivals);
        const states = [...account.assignments.values()].filter(({ periodKey }) => periodKey !== '');
        const expected = replayRoutine(rule, zone, arrivals);
        expect(new Map(states.map(({ periodKey, progress }) => [periodKey, progress]))).toEqual(expected);
        const complete = BigInt([...expected.values()].filter((sum) => sum === rule.target).length);
        const whole = account.assignments.get('m1')?.progress ?? 0n;
        expect(whole).toBe(rule.occurrences === undefined ? 0n : complete * units(1));
      }),
      { numRuns: 300 },
    );
  });
});

test('the order in which events arrive does not matter to a streak, as long as each arrives in time', () => {
  fc.assert(
    fc.property(games(streaks), fc.integer(), ({ rule, zone, arrivals }, seed) => {
      const endless = { ...rule, target: units(1000), conditions: {} };
      const last = arrivals.at(-1)!.now;
      const recent = arrivals.filter(({ at }) => at > last - 24 * HOUR);
      const shuffled = recent.toSorted((a, b) => ((a.at * 31) ^ seed) - ((b.at * 31) ^ seed));
      const seen = [recent, shuffled].map((order) => {
        const account = play(
          endless,
          zone,
          order.map((arrival) => ({ ...arrival, now: last })),
        );
        return account.assignments.get('m1');
      });
      expect(seen[1]?.detail).toEqual(seen[0]?.detail);
      expect(seen[1]?.progress).toBe(seen[0]?.progress);
    }),
    { numRuns: 200 },
  );
});
