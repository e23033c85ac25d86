import { describe, expect, test } from 'vitest';
import { compileCampaign } from '../../src/engine/campaign-plan.ts';
import { compileMission } from '../../src/engine/missions/compile-mission.ts';
import type { MissionConditions, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { outOfReach } from '../../src/engine/missions/out-of-reach.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { PeriodUnit } from '../../src/engine/time/period.ts';
import { DAY } from '../../src/kernel/time/timestamp.ts';
import { ONE } from '../../src/kernel/amount.ts';
import { campaign, HOUR, instant, mission, MONDAY, units } from './fixtures.ts';

/** The findings for a mission with this begin and end. */
function findingOf(rule: Partial<MissionRule>, from: string, until: string | undefined, timeZone = 'UTC') {
  const endsAt = until === undefined ? undefined : instant(until);
  const plan = compileMission(mission({ ...rule, startsAt: instant(from), endsAt }));
  return outOfReach(plan, calendarOfZone(timeZone), instant('2026-01-01T00:00:00Z'));
}

const streak = (target: number, conditions?: MissionConditions, period: PeriodUnit = 'DAY') =>
  ({ type: 'STREAK', target: units(target), conditions, period }) as const;
const tooFew = (needed: number, available: number) => ({ reason: 'TOO_FEW_PERIODS', needed, available });

describe('a streak or routine', () => {
  test.each<[string, Partial<MissionRule>, string, string | undefined, number | undefined]>([
    ['three days', streak(4), '2026-06-01T00:00:00Z', '2026-06-04T00:00:00Z', 3],
    [
      'three days, and a millisecond of the next',
      streak(4),
      '2026-06-01T00:00:00Z',
      '2026-06-04T00:00:00.001Z',
      undefined,
    ],
    ['the last moments of a day count as one', streak(4), '2026-05-31T23:59:00Z', '2026-06-04T00:00:00Z', undefined],
    ['no end', streak(400_000), '2026-06-01T00:00:00Z', undefined, undefined],
    ['parts of three weeks', streak(4, {}, 'WEEK'), '2026-06-07T23:00:00Z', '2026-06-15T01:00:00Z', 3],
    ['parts of three months', streak(4, {}, 'MONTH'), '2026-01-31T12:00:00Z', '2026-03-01T01:00:00Z', 3],
    ['two weekends', streak(5, { daysOfWeek: [6, 7] }), '2026-06-01T00:00:00Z', '2026-06-15T00:00:00Z', 4],
    [
      'nothing is left of the first Sunday, and the last has not come',
      streak(4, { daysOfWeek: [6, 7], timeTo: '12:00' }),
      '2026-06-07T12:00:00Z',
      '2026-06-21T00:00:00Z',
      3,
    ],
    [
      'nothing of Sunday is left',
      streak(5, { daysOfWeek: [6, 7], timeTo: '12:00' }),
      '2026-06-07T12:00:00Z',
      '2026-06-22T00:00:00Z',
      4,
    ],
    [
      'weeks without a Monday at their ends',
      streak(3, { daysOfWeek: [1] }, 'WEEK'),
      '2026-06-02T00:00:00Z',
      '2026-06-22T00:00:00Z',
      2,
    ],
    [
      'a night is of the next day as well',
      streak(3, { timeFrom: '22:00', timeTo: '02:00' }),
      '2026-06-01T22:00:00Z',
      '2026-06-02T02:00:00Z',
      2,
    ],
  ])('has as many periods as events can count in: %s', (_name, rule, from, until, available) => {
    const needed = Number(rule.target! / ONE);
    expect(findingOf(rule, from, until)).toEqual(available === undefined ? undefined : tooFew(needed, available));
    if (available !== undefined) expect(findingOf({ ...rule, target: units(available) }, from, until)).toBeUndefined();
    const routine = { ...rule, type: 'ROUTINE', target: ONE, occurrences: needed } as const;
    expect(findingOf(routine, from, until)).toEqual(available === undefined ? undefined : tooFew(needed, available));
  });

  test('follows the given calendar', () => {
    const day = ['2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z'] as const;
    expect(findingOf(streak(2), ...day)).toEqual(tooFew(2, 1));
    expect(findingOf(streak(2), ...day, 'Europe/Madrid')).toBeUndefined();
  });

  test('counts from the activation where that is later than its start', () => {
    const plan = compileMission(mission({ ...streak(2), startsAt: 0, endsAt: MONDAY }));
    expect(outOfReach(plan, calendarOfZone('UTC'), MONDAY - HOUR)).toEqual(tooFew(2, 1));
    expect(outOfReach(plan, calendarOfZone('UTC'), MONDAY - DAY)).toBeUndefined();
    expect(outOfReach(plan, calendarOfZone('UTC'), MONDAY)).toBeUndefined();
  });

  test('is judged quickly, whatever its window', () => {
    const rule = streak(10_000_000, { daysOfWeek: [1], timeFrom: '10:00', timeTo: '11:00' });
    const before = performance.now();
    for (let count = 0; count < 500; count += 1) {
      expect(findingOf(rule, '2026-06-01T00:00:00Z', '9999-12-31T00:00:00Z', 'Europe/Madrid')).toMatchObject({
        reason: 'TOO_FEW_PERIODS',
      });
    }
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe('opening hours', () => {
  const never = { reason: 'NEVER_OPEN' };

  test.each<[string, MissionConditions, string, string, string, boolean]>([
    [
      'an evening after the end',
      { timeFrom: '18:00', timeTo: '20:00' },
      '2026-06-01T10:00:00Z',
      '2026-06-01T18:00:00Z',
      'UTC',
      false,
    ],
    [
      'a first millisecond',
      { timeFrom: '18:00', timeTo: '20:00' },
      '2026-06-01T10:00:00Z',
      '2026-06-01T18:00:00.001Z',
      'UTC',
      true,
    ],
    [
      'a last minute',
      { timeFrom: '18:00', timeTo: '20:00' },
      '2026-06-01T19:59:59.999Z',
      '2026-06-02T18:00:00Z',
      'UTC',
      true,
    ],
    ['a weekend within a week', { daysOfWeek: [6, 7] }, '2026-06-01T00:00:00Z', '2026-06-06T00:00:00Z', 'UTC', false],
    [
      'the same in Kiritimati',
      { daysOfWeek: [6, 7] },
      '2026-06-01T00:00:00Z',
      '2026-06-06T00:00:00Z',
      'Pacific/Kiritimati',
      true,
    ],
    [
      'the rest of a night',
      { daysOfWeek: [5], timeFrom: '22:00', timeTo: '02:00' },
      '2026-06-06T01:00:00Z',
      '2026-06-06T12:00:00Z',
      'UTC',
      true,
    ],
    // Madrid's clocks change from two to three on 29 March.
    [
      'an hour that the clocks skip',
      { timeFrom: '02:00', timeTo: '03:00' },
      '2026-03-29T00:00:00Z',
      '2026-03-29T12:00:00Z',
      'Europe/Madrid',
      false,
    ],
    [
      'the rest of hours that begin in it',
      { timeFrom: '02:30', timeTo: '03:30' },
      '2026-03-29T00:00:00Z',
      '2026-03-29T12:00:00Z',
      'Europe/Madrid',
      true,
    ],
    [
      'Sundays of which the clocks skip one',
      { daysOfWeek: [7], timeFrom: '02:00', timeTo: '03:00' },
      '2026-03-23T00:00:00Z',
      '2026-04-05T00:30:00Z',
      'Europe/Madrid',
      true,
    ],
    // Madrid's clocks change from three to two on 25 October, and show half past two twice.
    [
      'an hour that comes twice',
      { timeFrom: '02:00', timeTo: '02:30' },
      '2026-10-25T00:45:00Z',
      '2026-10-25T01:15:00Z',
      'Europe/Madrid',
      true,
    ],
  ])('meet their window or not: %s', (_name, conditions, from, until, zone, isOpen) => {
    expect(findingOf({ conditions }, from, until, zone)).toEqual(isOpen ? undefined : never);
  });
});

describe('a cap', () => {
  const capped = (target: bigint, changes: Partial<MissionRule> = {}) =>
    ({ target, conditions: { maxPerPeriod: units(2) }, period: 'MONTH', ...changes }) as const;

  test('lets no more count than it says for each period', () => {
    const window = ['2026-01-15T00:00:00Z', '2026-03-15T00:00:00Z'] as const;
    expect(findingOf(capped(units(6) + 1n), ...window)).toEqual({ reason: 'CAPPED', most: units(6) });
    expect(findingOf(capped(units(6)), ...window)).toBeUndefined();
    expect(findingOf(capped(units(99)), window[0], undefined)).toBeUndefined();
    expect(findingOf({ target: units(99) }, ...window)).toBeUndefined();
  });

  test('is counted for who lives where a period more begins or ends', () => {
    const month = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'] as const;
    expect(findingOf(capped(units(6)), ...month)).toBeUndefined();
    expect(findingOf(capped(units(7)), ...month)).toEqual({ reason: 'CAPPED', most: units(6) });
  });

  test('counts a challenge for as long as it lasts', () => {
    const challenge = { type: 'CHALLENGE', durationDays: 7 } as const;
    expect(findingOf(capped(units(5), challenge), '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual({
      reason: 'CAPPED',
      most: units(4),
    });
    expect(findingOf(capped(units(5), challenge), '2026-01-01T00:00:00Z', undefined)).toMatchObject({
      reason: 'CAPPED',
    });
    expect(findingOf(capped(units(4), challenge), '2026-01-01T00:00:00Z', undefined)).toBeUndefined();
  });

  test('tells nothing of days that a pause has prolonged', () => {
    const rule = mission({ ...capped(units(5), { type: 'CHALLENGE', durationDays: 7 }), campaignId: 'c1' });
    const paused = compileCampaign(campaign({ pauses: [{ from: MONDAY, until: MONDAY + DAY }] }), ['m1']);
    expect(outOfReach(compileMission(rule, paused), calendarOfZone('UTC'), 0)).toBeUndefined();
    const never = compileCampaign(campaign(), ['m1']);
    expect(outOfReach(compileMission(rule, never), calendarOfZone('UTC'), 0)).toMatchObject({ reason: 'CAPPED' });
  });
});
