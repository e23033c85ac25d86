import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MergedProgress } from '../../src/engine/assignment.ts';
import { mergeAssignments } from '../../src/engine/missions/merge.ts';
import { missionTypes } from '../../src/engine/missions/mission-types.ts';
import { runAt } from '../../src/engine/missions/streaks/streak-run.ts';
import { campaign, HOUR, mission, MONDAY, player, units } from './fixtures.ts';
import { type Arrival, type Life, replay } from './naive-model.ts';

const NOW = MONDAY + 2 * HOUR;

const accountOf = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 });

test('the combined progress is that of the larger sum, or of both, and no round is paid twice', () => {
  const paid = { SUM: 0, MAX: 0 };
  fc.assert(
    fc.property(
      fc.array(accountOf, { minLength: 2, maxLength: 4 }),
      fc.constantFrom<MergedProgress>('MAX', 'SUM'),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1, 3),
      fc.infiniteStream(fc.nat()),
      (people, how, target, max, choices) => {
        const rule = mission({
          target: units(target),
          campaignId: 'c1',
          ...(max !== undefined && { repeat: { max } }),
        });
        const players = people.map((amounts) => {
          const account = player([rule], [campaign()]);
          for (const amount of amounts) account.send({ amount: units(amount), at: MONDAY, now: NOW });
          return account;
        });
        const plan = players[0]!.plan();
        const roundsMax = max ?? 1;
        // A mission that is over counts nothing more.
        const sumOf = (amounts: readonly number[]) =>
          amounts.reduce((sum, amount) => (Math.floor(sum / target) >= roundsMax ? sum : sum + amount), 0);
        const roundsOf = (sum: number) => Math.min(Math.floor(sum / target), roundsMax);
        const apart = people.map((amounts, index) => ({
          sum: sumOf(amounts),
          state: players[index]!.assignments.get('m1'),
        }));
        while (apart.length > 1) {
          const [from] = apart.splice(choices.next().value! % apart.length, 1);
          const into = apart[choices.next().value! % apart.length]!;
          const before = roundsOf(from!.sum) + roundsOf(into.sum);
          into.sum = how === 'SUM' ? into.sum + from!.sum : Math.max(into.sum, from!.sum);
          if (from!.state === undefined && into.state === undefined) continue;
          const rules = { how, accountId: 'b', calendar: players[0]!.calendar, now: NOW };
          const merged = mergeAssignments(
            plan,
            { from: from!.state, into: into.state },
            rules,
            missionTypes.MISSION.merge,
          );
          expect(merged.rounds).toBe(Math.max(0, roundsOf(into.sum) - Math.min(before, roundsMax)));
          paid[how] += merged.rounds;
          into.state = merged.assignment;
        }
        const [{ sum, state }] = apart as [(typeof apart)[0]];
        const isOver = roundsOf(sum) === roundsMax;
        expect(state?.progress ?? 0n).toBe(isOver ? units(target) : units(sum - roundsOf(sum) * target));
        expect(state?.status ?? 'ACTIVE').toBe(isOver ? 'COMPLETED' : 'ACTIVE');
      },
    ),
    { numRuns: 2_000 },
  );
  expect(paid.MAX).toBe(0);
  expect(paid.SUM).toBeGreaterThan(50);
});

const day = fc.record({ day: fc.integer({ min: 0, max: 6 }), amount: fc.integer({ min: 1, max: 3 }) });

test('a streak of two accounts keeps the days of both that late events can reach, and the longer run before them', () => {
  let completed = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(day, { maxLength: 12 }), { minLength: 2, maxLength: 2 }),
      fc.constantFrom<MergedProgress>('MAX', 'SUM'),
      fc.integer({ min: 1, max: 3 }),
      (people, how, goal) => {
        const rule = mission({
          ...{ type: 'STREAK', target: units(5), period: 'DAY', perPeriodTarget: units(goal), onReversal: 'STRICT' },
        });
        const now = MONDAY + 6 * 24 * HOUR + HOUR;
        const sums = people.map((events) => {
          const days = new Map<number, number>();
          for (const { day: at, amount } of events.toSorted((a, b) => a.day - b.day))
            days.set(at, (days.get(at) ?? 0) + amount);
          return days;
        });
        const players = people.map((events) => {
          const account = player([rule]);
          for (const { day: at, amount } of events.toSorted((a, b) => a.day - b.day)) {
            const moment = MONDAY + at * 24 * HOUR;
            account.send({ amount: units(amount), at: moment, now: moment });
          }
          return account;
        });
        const [from, into] = players.map((account) => account.assignments.get('m1'));
        if (from === undefined || into === undefined || from.status === 'COMPLETED' || into.status === 'COMPLETED')
          return;
        const plan = players[0]!.plan();
        const rules = { how, accountId: 'b', calendar: players[0]!.calendar, now };
        const { assignment, rounds } = mergeAssignments(plan, { from, into }, rules, missionTypes.STREAK.merge);
        // A strict streak has the sums of all these days, so the naive model adds them up.
        const arrivals: Arrival[] = [0, 1, 2, 3, 4, 5, 6].flatMap((at) => {
          // A day takes no more than its goal, but for the surplus of the event that reached it.
          const [a, b] = sums.map((days) => days.get(at) ?? 0);
          const sum = how === 'SUM' ? Math.min(a!, goal) + Math.min(b!, goal) : Math.max(a!, b!);
          const moment = MONDAY + at * 24 * HOUR;
          return sum === 0 ? [] : [{ at: moment, now: moment, amount: units(sum) }];
        });
        const life: Life = { stays: [{ from: -Infinity, zone: 'UTC' }], pauses: [] };
        const expected = replay(rule, life, arrivals, now);
        expect(assignment.status).toBe(expected.isComplete ? 'COMPLETED' : 'ACTIVE');
        expect(rounds).toBe(expected.isComplete ? 1 : 0);
        if (expected.isComplete) completed += 1;
        else
          expect(runAt(plan, assignment, players[0]!, now)).toMatchObject({
            current: expected.streak!.current,
          });
      },
    ),
    { numRuns: 3_000 },
  );
  expect(completed).toBeGreaterThan(5);
});

test.each([
  ['the campaign is paused', { campaignId: 'c1' }, campaign({ status: 'PAUSED' }), MONDAY],
  ['the window of one is over', { type: 'CHALLENGE', durationDays: 1 }, undefined, MONDAY - 30 * HOUR],
] as const)('rewards that a reversal left with an account are remembered where %s', (_, rule, paused, at) => {
  const open = mission({ target: units(9), ...rule });
  const [further, nearer] = (
    [
      [5, MONDAY],
      [1, at],
    ] as const
  ).map(([amount, when]) => {
    const account = player([open], paused === undefined ? [] : [campaign()]);
    account.send({ amount: units(amount), at: when, now: when });
    return account.assignments.get('m1')!;
  });
  const plan = player([open], paused === undefined ? [] : [paused]).plan();
  const { calendar } = player([]);
  const rules = { how: 'SUM', accountId: 'b', calendar, now: NOW } as const;
  const reversed = { ...nearer!, detail: { ...nearer!.detail, reversed: true } } as const;
  for (const pair of [
    { from: reversed, into: further },
    { from: further, into: reversed },
  ]) {
    const { assignment, rounds } = mergeAssignments(plan, pair, rules, missionTypes[plan.type].merge);
    expect({ rounds, progress: assignment.progress, detail: assignment.detail }).toEqual({
      ...{ rounds: 0, progress: units(5) },
      detail: { ...further!.detail, reversed: true },
    });
  }
  const unmarked = mergeAssignments(plan, { from: nearer, into: further }, rules, missionTypes[plan.type].merge);
  expect(unmarked.assignment.detail).toEqual(further!.detail);
});
