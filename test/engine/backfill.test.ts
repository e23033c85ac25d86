import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { calendarOf, calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { AssignmentState } from '../../src/engine/assignment.ts';
import { campaign, HOUR, instant, mission, player, reasonOf, units, type Player } from './fixtures.ts';
import { type Arrival, type Life, lifeUntil, replay, replayRoutine, withoutTooLate } from './naive-model.ts';

const RUNS = Number(process.env['LAUREL_RULES_RUNS'] ?? 600);
const seed = Number(process.env['LAUREL_RULES_SEED'] ?? 33);

const BEGIN = instant('2026-03-20T09:00:00Z');
const DAY = 24 * HOUR;

/** The maximum hours between events. */
const GAPS: Record<PeriodUnit, number> = { DAY: 40, WEEK: 200, MONTH: 900 };

const periods = fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH');
const amounts = fc.bigInt({ min: 1n, max: units(6) });
const caps = fc.record({ maxPerPeriod: fc.option(amounts, { nil: undefined }) });
const targets = fc.bigInt({ min: 1n, max: units(60) });
const repeat = fc.option(fc.record({ max: fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined }) }), {
  nil: undefined,
});
const missions = fc.record({
  type: fc.constant('MISSION' as const),
  target: targets,
  period: periods,
  conditions: caps,
  repeat,
});
const challenges = fc.record({
  type: fc.constant('CHALLENGE' as const),
  target: targets,
  period: periods,
  durationDays: fc.integer({ min: 1, max: 9 }),
  repeat,
});
const streaks = fc.record({
  type: fc.constant('STREAK' as const),
  target: fc.integer({ min: 1, max: 25 }).map(units),
  period: periods,
  perPeriodTarget: fc.oneof({ weight: 2, arbitrary: fc.constant(1n) }, { weight: 1, arbitrary: amounts }),
  gracePeriods: fc.integer({ min: 0, max: 3 }),
  conditions: fc.oneof(fc.constant({}), caps),
});
const routines = fc.record({
  type: fc.constant('ROUTINE' as const),
  target: amounts,
  period: periods,
  occurrences: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

const zones = fc.constantFrom('Pacific/Niue', 'UTC', 'Europe/Madrid', 'Asia/Kolkata', 'Pacific/Kiritimati');

/** A life with changes of the zone and ended pauses. */
const lives = fc
  .tuple(
    zones,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 60 * 24 }), zones), { maxLength: 3 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 60 * 24 }), fc.integer({ min: 1, max: 100 })), { maxLength: 2 }),
  )
  .map(([zone, journey, stops]): Life => {
    const moves = journey
      .toSorted(([a], [b]) => a - b)
      .map(([hours, to]) => ({ from: BEGIN + hours * HOUR, zone: to }));
    const pauses: Array<Life['pauses'][number]> = [];
    for (const [hours, length] of stops.toSorted(([a], [b]) => a - b)) {
      const from = BEGIN + hours * HOUR;
      if (from > (pauses.at(-1)?.until ?? 0)) pauses.push({ from, until: from + length * HOUR });
    }
    return { stays: [{ from: -Infinity, zone }, ...moves], pauses };
  });

/** Events in the order in which they occurred. */
function occurrences(unit: PeriodUnit): fc.Arbitrary<Array<Pick<Arrival, 'at' | 'amount'>>> {
  const gap = fc.oneof(fc.integer({ min: 0, max: 8 * HOUR }), fc.integer({ min: 0, max: GAPS[unit] * HOUR }));
  return fc
    .array(fc.record({ gap, amount: fc.bigInt({ min: 1n, max: units(4) }) }), { minLength: 1, maxLength: 40 })
    .map((steps) => {
      let at = BEGIN;
      return steps.map(({ gap: hours, amount }) => ({ at: (at += hours), amount }));
    });
}

/** The account as the service would see it at an instant, with its assignments. */
function playerAt(rule: MissionRule, life: Life, now: number, { assignments }: Pick<Player, 'assignments'>): Player {
  const { stays, pauses } = lifeUntil(life, now);
  const past = stays.slice(1).map(({ from }, index) => ({ until: from, timeZone: stays[index]!.zone }));
  const calendar = calendarOf({ timeZone: stays.at(-1)!.zone, past }, calendarOfZone('UTC'));
  const status = pauses.at(-1)?.until === Infinity ? 'PAUSED' : 'ACTIVE';
  return player([rule], [campaign({ status, pauses })], { calendar, assignments });
}

/** Plays events one at a time; the state goes through JSON, as in the database. */
function play(rule: MissionRule, life: Life, arrivals: readonly Arrival[]): Map<string, AssignmentState> {
  const assignments = new Map<string, AssignmentState>();
  for (const arrival of arrivals) {
    playerAt(rule, life, arrival.now, { assignments }).send(arrival);
    for (const [key, state] of assignments)
      assignments.set(key, { ...state, detail: state.detail && JSON.parse(JSON.stringify(state.detail)) });
  }
  return assignments;
}

const inTime = (events: readonly Pick<Arrival, 'at' | 'amount'>[]) => events.map((each) => ({ ...each, now: each.at }));
const atTheEnd = (events: readonly Pick<Arrival, 'at' | 'amount'>[], now: number) =>
  events.map((each) => ({ ...each, now, backfilled: true }));

/** States without the time of the decision, which is that of the call. */
const judged = (states: Map<string, AssignmentState>) =>
  new Map(
    [...states].map(([key, { completedAt, ...state }]) => [key, { ...state, isComplete: completedAt !== undefined }]),
  );

describe('a history that is backfilled in its order comes to what it comes to in time', () => {
  test.each([
    ['MISSION', missions],
    ['CHALLENGE', challenges],
    ['STREAK', streaks],
    ['ROUTINE', routines],
  ] as const)('%s', (_, rules: fc.Arbitrary<Partial<MissionRule>>) => {
    const games = fc
      .tuple(rules, lives, fc.integer({ min: 0, max: 90 * DAY }))
      .chain(([changes, life, wait]) =>
        occurrences(changes.period!).map((events) => ({ changes, life, wait, events })),
      );
    fc.assert(
      fc.property(games, ({ changes, life, wait, events }) => {
        const rule = mission({ ...changes, campaignId: 'c1' });
        const end = Math.max(events.at(-1)!.at, life.pauses.at(-1)?.until ?? 0, life.stays.at(-1)!.from) + wait;
        const states = play(rule, life, atTheEnd(events, end));
        expect(judged(states)).toEqual(judged(play(rule, life, inTime(events))));
        if (rule.type === 'ROUTINE') {
          const sums = [...states.values()].filter(({ periodKey }) => periodKey !== '');
          expect(new Map(sums.map(({ periodKey, progress }) => [periodKey, progress]))).toEqual(
            replayRoutine(rule, life, inTime(events)),
          );
          return;
        }
        const expected = replay(rule, life, inTime(events), events.at(-1)!.at);
        const state = states.get('m1');
        expect(state?.status === 'COMPLETED').toBe(expected.isOver);
        expect(state?.detail?.completions ?? Number(expected.isComplete)).toBe(expected.completions);
        if (rule.type !== 'STREAK' || expected.isOver) expect(state?.progress ?? 0n).toBe(expected.progress);
      }),
      { numRuns: RUNS, seed },
    );
  });
});

describe('between events in time, backfilled ones of any age count as the model adds them up', () => {
  test.each([
    ['MISSION', missions],
    ['STREAK', streaks],
  ] as const)('%s', (_, rules: fc.Arbitrary<Partial<MissionRule>>) => {
    const games = fc.tuple(rules, lives).chain(([changes, life]) =>
      fc
        .tuple(
          occurrences(changes.period!),
          fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })), {
            minLength: 40,
            maxLength: 40,
          }),
        )
        .map(([events, late]) => ({ changes, life, events, late })),
    );
    let tooLate = 0;
    fc.assert(
      fc.property(games, ({ changes, life, events, late }) => {
        const rule = mission({ ...changes, campaignId: 'c1' });
        const arrivals = events.map(({ at: now, amount }, index): Arrival => {
          const [backfilled, share] = late[index]!;
          const reach = backfilled ? now - BEGIN : 24 * HOUR;
          return { now, at: Math.round(now - share * reach), amount, backfilled };
        });
        tooLate += arrivals.length - withoutTooLate(rule, life, arrivals).length;
        const last = arrivals.at(-1)!;
        const expected = replay(rule, life, arrivals, last.now);
        const account = playerAt(rule, life, last.now, { assignments: play(rule, life, arrivals) });
        const state = account.assignments.get('m1');
        expect(state?.status === 'COMPLETED').toBe(expected.isOver);
        if (rule.type !== 'STREAK' || expected.isOver) expect(state?.progress ?? 0n).toBe(expected.progress);
        expect(state?.detail?.completions ?? Number(expected.isComplete)).toBe(expected.completions);
      }),
      { numRuns: RUNS, seed },
    );
    expect(tooLate).toBeGreaterThan(20);
  });
});

test('a backfilled event of a settled period is too late, also where the period was not kept', () => {
  const rule = mission({ type: 'STREAK', target: units(9), perPeriodTarget: units(2) });
  const account = player([rule]);
  const on = (day: number) => BEGIN + day * DAY;
  const backfill = (day: number, amount = units(2)) =>
    reasonOf(account.send({ at: on(day), now: on(30), amount, backfilled: true }));
  expect(backfill(2)).toBe('progressed');
  expect(backfill(4, units(1))).toBe('progressed');
  // Settles days 2 and 4.
  expect(backfill(8)).toBe('progressed');
  expect([backfill(4, units(1)), backfill(3), backfill(2)]).toEqual(['TOO_LATE', 'TOO_LATE', 'TOO_LATE']);
  expect([backfill(5), backfill(8)]).toEqual(['progressed', 'PERIOD_KEPT']);
});
