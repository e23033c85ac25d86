import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/engine/decision.ts';
import { ENDLESS, type MissionConditions, type MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { calendarOf, calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { AssignmentState } from '../../src/engine/assignment.ts';
import { campaign, HOUR, instant, mission, player, units, type Player } from './fixtures.ts';
import {
  type Arrival,
  isOpen,
  type Life,
  lifeUntil,
  longestEver,
  opensNext,
  type Pause,
  replay,
  replayRoutine,
  streakToday,
} from './naive-model.ts';

/** A fixed seed, so that a failure repeats on every machine; the variables set more or other histories. */
const RUNS = Number(process.env['LAUREL_RULES_RUNS'] ?? 1_000);
const seed = Number(process.env['LAUREL_RULES_SEED'] ?? 1);

/** The begin of a history: days before each clock change of both hemispheres, before a leap day, before the end of a year with 53 weeks. */
const scenes = fc.constantFrom(
  ['Europe/Madrid', '2026-03-26T09:00:00Z'],
  ['Europe/Madrid', '2026-10-22T09:00:00Z'],
  ['America/Santiago', '2026-04-02T09:00:00Z'],
  ['America/Santiago', '2026-09-03T09:00:00Z'],
  ['America/Santiago', '2028-02-26T09:00:00Z'],
  ['Europe/Madrid', '2028-02-26T09:00:00Z'],
  ['Asia/Kolkata', '2026-12-25T09:00:00Z'],
);

/** The maximum hours between arrivals; long enough to miss some periods. */
const GAPS: Record<PeriodUnit, number> = { DAY: 40, WEEK: 200, MONTH: 900 };

/** Arrivals in chronological order. Each event occurred at most 24 hours before its arrival, and was accepted at any time in between. */
function histories(begin: string, unit: PeriodUnit): fc.Arbitrary<Arrival[]> {
  const step = fc.record({
    gap: fc.oneof(fc.integer({ min: 0, max: 8 * HOUR }), fc.integer({ min: 0, max: GAPS[unit] * HOUR })),
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 24 * HOUR })),
    waited: fc.oneof(fc.constant(undefined), fc.double({ min: 0, max: 1, noNaN: true })),
    amount: fc.bigInt({ min: 1n, max: units(4) }),
  });
  return fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
    let now = instant(begin);
    return steps.map(({ gap, late, waited, amount }) => {
      now += gap;
      return { now, at: now - late, acceptedAt: waited === undefined ? now : now - Math.round(late * waited), amount };
    });
  });
}

const periods = fc.constantFrom<PeriodUnit>('DAY', 'WEEK', 'MONTH');
const amounts = fc.bigInt({ min: 1n, max: units(6) });
const hours = fc.constantFrom<MissionConditions>(
  { timeFrom: '06:00', timeTo: '20:00' },
  { timeFrom: '18:30', timeTo: '00:00' },
  { timeTo: '12:00' },
);
const nights = fc.constantFrom({ timeFrom: '20:00', timeTo: '04:30' });
const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 3 });
const sizes = fc.record({
  minAmount: fc.option(amounts, { nil: undefined }),
  maxPerPeriod: fc.option(amounts, { nil: undefined }),
});
/** A daily series may have days of the week or hours across midnight, not both. */
const times = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ daysOfWeek: days }) },
  { weight: 1, arbitrary: hours },
  { weight: 1, arbitrary: nights },
  { weight: 1, arbitrary: fc.tuple(days, hours).map(([daysOfWeek, open]) => ({ daysOfWeek, ...open })) },
);
const conditions = fc.tuple(sizes, times).map(([size, time]) => ({ ...size, ...time }));

const targets = fc.bigInt({ min: 1n, max: units(60) });
const counts = fc.option(fc.constant('EVENTS' as const), { nil: undefined, freq: 3 });
const repeat = fc.option(fc.record({ max: fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined }) }), {
  nil: undefined,
});
const missions = fc.record({
  type: fc.constant('MISSION' as const),
  target: targets,
  period: periods,
  conditions,
  counts,
  repeat,
});
const challenges = fc.record({
  type: fc.constant('CHALLENGE' as const),
  target: targets,
  period: periods,
  // No cap: an event on a full day does not begin a challenge, so the order of arrival would matter.
  conditions: fc.record({ minAmount: fc.option(amounts, { nil: undefined }) }),
  durationDays: fc.integer({ min: 1, max: 9 }),
  counts,
  repeat,
});
const streaks = fc.record({
  type: fc.constant('STREAK' as const),
  target: fc.integer({ min: 1, max: 25 }).map(units),
  period: periods,
  // One event often keeps a period, because only existing runs can be ended by a pause or a journey.
  perPeriodTarget: fc.oneof({ weight: 3, arbitrary: fc.constant(1n) }, { weight: 1, arbitrary: amounts }),
  gracePeriods: fc.integer({ min: 0, max: 3 }),
  conditions: fc.oneof(fc.constant({}), conditions),
});
const routines = fc.record({
  type: fc.constant('ROUTINE' as const),
  target: amounts,
  period: periods,
  occurrences: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

/** Zones from one end of the world to the other: with and without summer time, with half and quarter hours. */
const zones = fc.constantFrom(
  'Pacific/Niue',
  'America/Los_Angeles',
  'America/Santiago',
  'America/St_Johns',
  'UTC',
  'Europe/Madrid',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
);

/** Changes of the zone, and pauses; `position` is the point in the history from 0 to 1. */
const journeys = fc.array(fc.record({ position: fc.double({ min: 0, max: 1, noNaN: true }), zone: zones }), {
  maxLength: 4,
});
const pauses = fc.array(
  fc.record({
    position: fc.double({ min: 0, max: 1, noNaN: true }),
    hours: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 20, max: 400 })),
  }),
  { maxLength: 3 },
);

/** A rule with a history, the account's life during it, and a moment after it. */
function games<R extends Partial<MissionRule>>(rules: fc.Arbitrary<R>) {
  return fc
    .tuple(rules, scenes, fc.integer({ min: 0, max: 30 * 24 * HOUR }), journeys, pauses)
    .chain(([changes, [zone, begin], wait, journey, stops]) =>
      histories(begin, changes.period!).map((arrivals) => {
        const now = arrivals.at(-1)!.now + wait;
        const from = (position: number) => Math.round(instant(begin) + position * (now - instant(begin)));
        return {
          rule: mission({ ...changes, campaignId: 'c1' }),
          life: {
            stays: [
              { from: -Infinity, zone },
              ...journey
                .map((stay) => ({ from: from(stay.position), zone: stay.zone }))
                .toSorted((a, b) => a.from - b.from),
            ],
            pauses: apart(
              stops.map(({ position, hours }) => ({ from: from(position), until: from(position) + hours * HOUR })),
            ),
          },
          arrivals,
          now,
        };
      }),
    );
}

/** Pauses in chronological order, without those that begin within another. */
function apart(all: readonly Pause[]): Pause[] {
  const kept: Pause[] = [];
  for (const pause of all.toSorted((a, b) => a.from - b.from))
    if (pause.from > (kept.at(-1)?.until ?? 0)) kept.push(pause);
  return kept;
}

/** The account as the service would see it at an instant, with its assignments. */
function playerAt(rule: MissionRule, life: Life, now: number, { assignments }: Pick<Player, 'assignments'>): Player {
  const { stays, pauses: stops } = lifeUntil(life, now);
  const past = stays.slice(1).map(({ from }, index) => ({ until: from, timeZone: stays[index]!.zone }));
  const calendar = calendarOf({ timeZone: stays.at(-1)!.zone, past }, calendarOfZone('UTC'));
  const status = stops.at(-1)?.until === Infinity ? 'PAUSED' : 'ACTIVE';
  return player([rule], [campaign({ status, pauses: stops })], { calendar, assignments });
}

/** Plays the history in the engine one event at a time. Between events the state is converted to JSON and back, as in the database. */
function play(
  rule: MissionRule,
  life: Life,
  arrivals: readonly Arrival[],
  decided: Decision[] = [],
): Map<string, AssignmentState> {
  const assignments = new Map<string, AssignmentState>();
  for (const arrival of arrivals) {
    decided.push(...playerAt(rule, life, arrival.now, { assignments }).send(arrival));
    for (const [key, state] of assignments) {
      const detail = state.detail && JSON.parse(JSON.stringify(state.detail));
      assignments.set(key, { ...state, detail });
    }
  }
  return assignments;
}

/** A life in one zone, without a pause. */
function settled(zone: string): Life {
  return { stays: [{ from: -Infinity, zone }], pauses: [] };
}

describe('event by event the engine comes to what a replay from scratch comes to', () => {
  test.each([
    ['MISSION', missions],
    ['CHALLENGE', challenges],
    ['STREAK', streaks],
  ] as const)('%s', (_, rules: fc.Arbitrary<Partial<MissionRule>>) => {
    fc.assert(
      fc.property(games(rules), ({ rule, life, arrivals, now }) => {
        const account = playerAt(rule, life, now, { assignments: play(rule, life, arrivals) });
        const expected = replay(rule, life, arrivals, now);
        const view = viewMission(account.plan(), account, now);
        const isPaused = account.plan().campaign?.status === 'PAUSED';
        if (isPaused && !expected.isOver) {
          expect(view).toBeUndefined();
          return;
        }
        expect(view?.progress).toBe(expected.progress);
        expect(view?.status === 'COMPLETED').toBe(expected.isOver);
        expect(view?.completions).toBe(rule.repeat && expected.completions);
        expect(view?.streak).toEqual(expected.streak);
        const isActive = view?.status === 'ACTIVE';
        const hasToday = isActive && rule.type === 'STREAK';
        expect(view?.today).toEqual(hasToday ? streakToday(rule, life, arrivals, now) : undefined);
        const opensAt = isOpen(rule, life, now) ? undefined : opensNext(rule, life, now);
        const isClosed = isActive && opensAt !== undefined;
        expect(view?.locks).toEqual(isClosed ? [{ kind: 'OUTSIDE_HOURS', isMet: false, opensAt }] : []);
      }),
      { numRuns: RUNS, seed },
    );
  });

  test('STREAK without an end: each milestone once, when a run first reaches it', () => {
    const endless = fc
      .tuple(streaks, fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }))
      .map(([rule, lengths]) => ({
        ...rule,
        target: ENDLESS,
        milestones: lengths.toSorted((a, b) => a - b).map((length) => ({ length, rewardIds: ['r2'] })),
      }));
    fc.assert(
      fc.property(games(endless), ({ rule, life, arrivals, now }) => {
        const decided: Decision[] = [];
        const assignments = play(rule, life, arrivals, decided);
        const paid = decided.flatMap((each) => (each.kind === 'progressed' ? (each.milestones ?? []) : []));
        const admitted = arrivals.filter((_, index) => decided[index]!.kind === 'progressed');
        const longest = longestEver(rule, life, admitted);
        expect(paid).toEqual(rule.milestones!.filter(({ length }) => length <= longest));
        const account = playerAt(rule, life, now, { assignments });
        const view = viewMission(account.plan(), account, now);
        if (view !== undefined) expect(view.nextMilestone).toEqual(rule.milestones![paid.length]);
      }),
      { numRuns: RUNS, seed },
    );
  });

  test('ROUTINE', () => {
    fc.assert(
      fc.property(games(routines), ({ rule, life, arrivals }) => {
        const assignments = play(rule, life, arrivals);
        const states = [...assignments.values()].filter(({ periodKey }) => periodKey !== '');
        const expected = replayRoutine(rule, life, arrivals);
        expect(new Map(states.map(({ periodKey, progress }) => [periodKey, progress]))).toEqual(expected);
        const complete = BigInt([...expected.values()].filter((sum) => sum === rule.target).length);
        const whole = assignments.get('m1')?.progress ?? 0n;
        expect(whole).toBe(rule.occurrences === undefined ? 0n : complete * units(1));
      }),
      { numRuns: RUNS, seed },
    );
  });
});

test('the order in which events arrive does not matter to a streak, as long as each arrives in time', () => {
  fc.assert(
    fc.property(games(streaks), fc.integer(), zones, ({ rule, arrivals }, salt, zone) => {
      const endless = { ...rule, target: units(1000), conditions: {} };
      const last = arrivals.at(-1)!.now;
      const recent = arrivals.filter(({ at }) => at > last - 24 * HOUR);
      const shuffled = recent.toSorted((a, b) => ((a.at * 31) ^ salt) - ((b.at * 31) ^ salt));
      const seen = [recent, shuffled].map((order) => {
        const arrived = order.map((arrival) => ({ ...arrival, now: last }));
        return play(endless, settled(zone), arrived).get('m1');
      });
      // An event that comes when its period is kept is refused, so the surplus depends on the last that counted.
      const [one, other] = seen.map((state) => ({ ...state?.detail?.streak, surplus: undefined }));
      expect(other).toEqual(one);
      expect(seen[1]?.progress).toBe(seen[0]?.progress);
    }),
    { numRuns: 200 },
  );
});
