import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reverseAccumulated } from '../../src/engine/missions/reverse.ts';
import { oldestOpenPeriod, periodAt } from '../../src/engine/time/calendar.ts';
import { reverseStreak } from '../../src/engine/missions/streaks/reverse-streak.ts';
import { runAt } from '../../src/engine/missions/streaks/streak-run.ts';
import type { Amount } from '../../src/kernel/amount.ts';
import { campaign, HOUR, mission, MONDAY, player, units } from './fixtures.ts';
import { type Arrival, type Life, replay } from './naive-model.ts';

/** An event that is sent, or a part of an earlier one that is taken back. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ send: fc.integer({ min: 1, max: 40 }), day: fc.integer({ min: 0, max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ reverse: fc.nat(), part: fc.integer({ min: 1, max: 40 }) }) },
);

type Counted = { left: bigint; part: bigint; readonly day: number };

test('whatever is sent and taken back, the progress is that of the sum of what is left', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(undefined, 1, 3),
      fc.constantFrom(undefined, 25),
      (steps, target, max, cap) => {
        const rule = mission({
          target: units(target),
          campaignId: 'c1',
          ...(max !== undefined && { repeat: { max } }),
          ...(cap !== undefined && { conditions: { maxPerPeriod: units(cap) }, period: 'DAY' }),
        });
        const account = player([rule], [campaign()]);
        const plan = account.plan();
        const roundsMax = BigInt(max ?? 1);
        const counted: Counted[] = [];
        for (const each of steps) {
          if ('send' in each) {
            const at = MONDAY + each.day * 3_600_000;
            const [decision] = account.send({ amount: units(each.send), at, now: MONDAY + 7_200_000 });
            if (decision?.kind === 'uncounted') continue;
            const today = counted.reduce((sum, { part }) => sum + part, 0n);
            const room = cap === undefined ? units(each.send) : units(cap) - today;
            const raw = units(each.send);
            counted.push({ left: raw, part: raw < room ? raw : room, day: each.day });
          } else {
            const open = counted.filter(({ left }) => left > 0n);
            if (open.length === 0) continue;
            const event = open[each.reverse % open.length]!;
            const wanted = units(each.part);
            event.left -= wanted < event.left ? wanted : event.left;
            const part = event.part < event.left ? event.part : event.left;
            const amount = event.part - part;
            event.part = part;
            if (amount === 0n) continue;
            const before = account.assignments.get('m1')!;
            const period = cap === undefined ? undefined : periodAt('DAY', account.calendar, MONDAY);
            account.assignments.set('m1', reverseAccumulated(plan, before, { amount, period }).assignment);
          }
          const state = account.assignments.get('m1');
          const sum = counted.reduce((all, { part }) => all + part, 0n);
          const rounds = sum / units(target) < roundsMax ? sum / units(target) : roundsMax;
          const isOver = rounds === roundsMax;
          expect(state?.status ?? 'ACTIVE').toBe(isOver ? 'COMPLETED' : 'ACTIVE');
          expect(state?.progress ?? 0n).toBe(isOver ? units(target) : sum - rounds * units(target));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

const streakStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ send: fc.integer({ min: 1, max: 4 }), hours: fc.integer({ min: 0, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ reverse: fc.nat(), part: fc.integer({ min: 1, max: 4 }) }) },
);

test('a streak is judged again by what is left in open periods, and keeps those that are over unless it is STRICT', () => {
  const lost = { completions: 0, settled: 0, past: 0 };
  fc.assert(
    fc.property(
      fc.array(streakStep, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 1 }),
      fc.constantFrom(undefined, 'STRICT' as const),
      (steps, target, goal, gracePeriods, onReversal) => {
        const rule = mission({
          type: 'STREAK',
          target: units(target),
          period: 'DAY',
          perPeriodTarget: units(goal),
          gracePeriods,
          onReversal,
        });
        const account = player([rule]);
        const plan = account.plan();
        const life: Life = { stays: [{ from: -Infinity, zone: 'UTC' }], pauses: [] };
        const counted: { arrival: Arrival; left: Amount }[] = [];
        let now = MONDAY;
        for (const each of steps) {
          if ('send' in each) {
            now += each.hours * HOUR;
            const amount = units(each.send);
            const [decision] = account.send({ amount, at: now });
            if (decision?.kind !== 'uncounted') counted.push({ arrival: { at: now, now, amount }, left: amount });
          } else {
            const open = counted.filter(({ left }) => left > 0n);
            if (open.length === 0) continue;
            const event = open[each.reverse % open.length]!;
            const amount = units(each.part) < event.left ? units(each.part) : event.left;
            const period = periodAt('DAY', account.calendar, event.arrival.at);
            const [reversal] = reverseStreak(plan, account, { amount, period }, now);
            const isOver = period < oldestOpenPeriod('DAY', account.calendar, now);
            if (isOver && onReversal === 'STRICT') lost.past += 1;
            if (reversal === undefined) {
              expect(onReversal).toBeUndefined();
              lost.settled += 1;
              continue;
            }
            lost.completions += reversal.roundsLost;
            event.left -= amount;
            account.assignments.set('m1', reversal.assignment);
          }
          const arrivals = counted.flatMap(({ arrival, left }) => (left > 0n ? [{ ...arrival, amount: left }] : []));
          const expected = replay(rule, life, arrivals, now);
          const state = account.assignments.get('m1');
          expect(state?.status ?? 'ACTIVE').toBe(expected.isComplete ? 'COMPLETED' : 'ACTIVE');
          if (state === undefined || expected.isComplete) continue;
          expect(runAt(plan, state, account, now)).toMatchObject({ current: expected.streak!.current });
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(lost.completions).toBeGreaterThan(50);
  expect(lost.settled).toBeGreaterThan(10);
  expect(lost.past).toBeGreaterThan(10);
});
