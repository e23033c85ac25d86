import { describe, expect, test } from 'vitest';
import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { campaign, instant, mission, player, reasonOf, units, type Player } from './fixtures.ts';

function streak(changes: Partial<MissionRule> = {}): MissionRule {
  return mission({ type: 'STREAK', target: units(30), ...changes });
}

/** Sends one event at noon UTC of each date. */
function keep(account: Player, ...dates: string[]): void {
  for (const date of dates) account.send({ at: `${date}T12:00:00Z` });
}

/** The account's view of its streak at a time: run, longest run, grace periods left. */
function seen(account: Player, time: string): (number | undefined)[] {
  const run = viewMission(account.plan(), account, instant(time))?.streak;
  return [run?.current, run?.longest, run?.freezesLeft];
}

describe('a STREAK', () => {
  test('names its assignment after mission and account, from the first event on', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02');
    expect(account.assignments.get('m1')).toMatchObject({
      id: derivedId('m1', 'a1', ''),
      startedAt: instant('2026-06-01T12:00:00Z'),
    });
  });

  test('started when the event occurred that counted first, also if an earlier one arrives late', () => {
    const account = player([streak()]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-05-31T20:00:00Z', now: '2026-06-01T12:30:00Z' });
    expect(account.assignments.get('m1')).toMatchObject({
      progress: units(2),
      startedAt: instant('2026-06-01T12:00:00Z'),
    });
  });

  test('grows by one for each period in a row and completes at its target', () => {
    const account = player([streak({ target: units(3) })]);
    keep(account, '2026-06-01', '2026-06-02');
    expect(account.send({ at: '2026-06-03T00:00:00Z' })).toMatchObject([
      {
        kind: 'completed',
        previousProgress: units(2),
        rewardIds: ['r1'],
        assignment: { progress: units(3), status: 'COMPLETED', completedAt: instant('2026-06-03T00:00:00Z') },
      },
    ]);
    expect(reasonOf(account.send({ at: '2026-06-04T00:00:00Z' }))).toBe('ALREADY_COMPLETED');
  });

  test('counts a period once, however much happens in it', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01');
    expect(reasonOf(account.send({ at: '2026-06-01T13:00:00Z' }))).toBe('PERIOD_KEPT');
    expect(seen(account, '2026-06-01T14:00:00Z')).toEqual([1, 1, 0]);
  });

  test('keeps a period once it has reached perPeriodTarget, and not before', () => {
    const account = player([streak({ perPeriodTarget: units(50) })]);
    expect(account.send({ amount: units(30), at: '2026-06-01T10:00:00Z' })).toMatchObject([
      { kind: 'progressed', previousProgress: 0n, assignment: { progress: 0n } },
    ]);
    expect(account.send({ amount: units(20), at: '2026-06-01T11:00:00Z' })).toMatchObject([
      { kind: 'progressed', previousProgress: 0n, assignment: { progress: units(1) } },
    ]);
    account.send({ amount: units(49), at: '2026-06-02T11:00:00Z' });
    expect(seen(account, '2026-06-03T00:00:00Z')).toEqual([0, 1, 0]);
  });

  test('does not carry what exceeds perPeriodTarget into the next period', () => {
    const account = player([streak({ perPeriodTarget: units(50) })]);
    account.send({ amount: units(99), at: '2026-06-01T11:00:00Z' });
    account.send({ amount: units(1), at: '2026-06-02T11:00:00Z' });
    expect(seen(account, '2026-06-02T12:00:00Z')).toEqual([1, 1, 0]);
  });

  test('starts again at one after a missed period, and remembers the longest run', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02', '2026-06-03');
    expect(account.send({ at: '2026-06-05T12:00:00Z' })).toMatchObject([
      { previousProgress: 0n, assignment: { progress: units(1) } },
    ]);
    expect(seen(account, '2026-06-05T12:00:00Z')).toEqual([1, 3, 0]);
  });

  test('is seen as lapsed as soon as a whole period was missed, without any event', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02');
    expect(seen(account, '2026-06-03T23:59:59Z')).toEqual([2, 2, 0]);
    expect(seen(account, '2026-06-04T00:00:00Z')).toEqual([0, 2, 0]);
    expect(viewMission(account.plan(), account, instant('2026-06-04'))).toMatchObject({
      progress: 0n,
      status: 'ACTIVE',
    });
  });
});

describe('grace periods', () => {
  test('bridge missed periods, which do not add to the run', () => {
    const account = player([streak({ gracePeriods: 2 })]);
    keep(account, '2026-06-01', '2026-06-04');
    expect(seen(account, '2026-06-04T12:00:00Z')).toEqual([2, 2, 0]);
  });

  test('are for a whole run, not for each gap', () => {
    const account = player([streak({ gracePeriods: 2 })]);
    keep(account, '2026-06-01', '2026-06-03', '2026-06-05');
    expect(seen(account, '2026-06-05T12:00:00Z')).toEqual([3, 3, 0]);
    keep(account, '2026-06-07');
    expect(seen(account, '2026-06-07T12:00:00Z')).toEqual([1, 3, 2]);
  });

  test('are seen to be used up period by period, and are all back once the streak lapsed', () => {
    const account = player([streak({ gracePeriods: 2 })]);
    expect(seen(account, '2026-05-01T00:00:00Z')).toEqual([0, 0, 2]);
    keep(account, '2026-06-01');
    expect(seen(account, '2026-06-02T12:00:00Z')).toEqual([1, 1, 2]);
    expect(seen(account, '2026-06-03T12:00:00Z')).toEqual([1, 1, 1]);
    expect(seen(account, '2026-06-04T12:00:00Z')).toEqual([1, 1, 0]);
    expect(seen(account, '2026-06-05T00:00:00Z')).toEqual([0, 1, 2]);
  });
});

describe('a late event', () => {
  test('lands in its own period and repairs the streak', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02', '2026-06-04');
    expect(seen(account, '2026-06-04T12:00:00Z')).toEqual([1, 2, 0]);
    account.send({ at: '2026-06-03T20:00:00Z', now: '2026-06-04T12:30:00Z' });
    expect(seen(account, '2026-06-04T13:00:00Z')).toEqual([4, 4, 0]);
  });

  test('gives back the grace period that its period had used', () => {
    const account = player([streak({ gracePeriods: 1 })]);
    keep(account, '2026-06-01', '2026-06-03');
    expect(seen(account, '2026-06-03T12:00:00Z')).toEqual([2, 2, 0]);
    account.send({ at: '2026-06-02T20:00:00Z', now: '2026-06-03T12:30:00Z' });
    expect(seen(account, '2026-06-03T13:00:00Z')).toEqual([3, 3, 1]);
  });

  test('completes a streak whose gap it fills', () => {
    const account = player([streak({ target: units(3) })]);
    keep(account, '2026-06-01', '2026-06-03');
    expect(account.send({ at: '2026-06-02T20:00:00Z', now: '2026-06-03T12:30:00Z' })).toMatchObject([
      { kind: 'completed', previousProgress: units(1), assignment: { progress: units(3) } },
    ]);
  });

  test('repairs a streak that has lapsed in the eyes of everybody', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02');
    const now = '2026-06-04T10:00:00Z';
    expect(seen(account, now)).toEqual([0, 2, 0]);
    expect(account.send({ at: '2026-06-03T22:00:00Z', now })).toMatchObject([
      { previousProgress: 0n, assignment: { progress: units(3) } },
    ]);
  });

  test('still reaches the last period but one, and nothing before', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02', '2026-06-06');
    const now = '2026-06-06T12:00:00Z';
    expect(reasonOf(account.send({ at: '2026-06-03T23:59:59Z', now }))).toBe('TOO_LATE');
    expect(reasonOf(account.send({ at: '2026-06-04T00:00:00Z', now }))).toBe('progressed');
  });

  test('does not open a period again that is settled, even if clocks disagree about the present', () => {
    const account = player([streak()]);
    keep(account, '2026-06-01', '2026-06-02', '2026-06-06');
    expect(reasonOf(account.send({ at: '2026-06-02T12:00:00Z', now: '2026-06-03T12:00:00Z' }))).toBe('TOO_LATE');
  });
});

describe('the periods of a STREAK', () => {
  test('are weeks from Monday to Sunday', () => {
    const account = player([streak({ period: 'WEEK' })]);
    keep(account, '2026-12-20', '2026-12-21', '2027-01-03', '2027-01-04');
    expect(seen(account, '2027-01-04T12:00:00Z')).toEqual([4, 4, 0]);
    expect(seen(account, '2027-01-18T00:00:00Z')).toEqual([0, 4, 0]);
  });

  test('are months of any length', () => {
    const account = player([streak({ period: 'MONTH' })]);
    keep(account, '2027-12-31', '2028-01-01', '2028-02-29', '2028-03-31');
    expect(seen(account, '2028-04-30T23:59:59Z')).toEqual([4, 4, 0]);
    expect(seen(account, '2028-05-01T00:00:00Z')).toEqual([0, 4, 0]);
  });

  test.each([
    ['Europe/Madrid', ['2026-03-28T12:00:00Z', '2026-03-28T23:30:00Z', '2026-03-29T22:00:00Z', '2026-03-31T21:59:59Z']],
    ['Europe/Madrid', ['2026-10-24T12:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z', '2026-10-27T22:59:59Z']],
    [
      'America/Santiago',
      ['2026-04-04T12:00:00Z', '2026-04-05T04:00:00Z', '2026-04-06T04:00:00Z', '2026-04-08T03:59:59Z'],
    ],
    [
      'America/Santiago',
      ['2026-09-05T12:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z', '2026-09-09T02:59:59Z'],
    ],
    [
      'America/Santiago',
      ['2028-02-28T12:00:00Z', '2028-02-29T03:00:00Z', '2028-03-01T03:00:00Z', '2028-03-03T02:59:59Z'],
    ],
  ])('are days on the calendar of %s, also where the clocks change or a leap day comes: %j', (timeZone, times) => {
    const account = player([streak()], [], { timeZone });
    for (const at of times) account.send({ at });
    expect(account.assignments.get('m1')?.progress).toBe(units(times.length));
  });

  test('are not missed on days that do not count', () => {
    const account = player([streak({ conditions: { daysOfWeek: [1, 2, 3, 4, 5] } })]);
    keep(account, '2026-06-04', '2026-06-05', '2026-06-08');
    expect(seen(account, '2026-06-08T12:00:00Z')).toEqual([3, 3, 0]);
    keep(account, '2026-06-10');
    expect(seen(account, '2026-06-10T12:00:00Z')).toEqual([1, 3, 0]);
  });
});

describe('a pause of the campaign', () => {
  const rule = streak({ campaignId: 'c1' });
  const day = (date: string) => instant(`${date}T12:00:00Z`);

  test('ends no streak: no period is missed that touches it, and the next one is', () => {
    const pauses = [{ from: day('2026-06-02'), until: day('2026-06-05') }];
    const account = player([rule], [campaign({ pauses })]);
    keep(account, '2026-06-01');
    expect(seen(account, '2026-06-06T23:59:59Z')).toEqual([1, 1, 0]);
    expect(seen(account, '2026-06-07T00:00:00Z')).toEqual([0, 1, 0]);
    keep(account, '2026-06-06');
    expect(seen(account, '2026-06-06T12:00:00Z')).toEqual([2, 2, 0]);
  });

  test('leaves a period that touches it open to be kept', () => {
    const pauses = [{ from: day('2026-06-02'), until: day('2026-06-04') }];
    const account = player([rule], [campaign({ pauses })]);
    keep(account, '2026-06-01');
    account.send({ at: '2026-06-02T11:59:59Z' });
    keep(account, '2026-06-04', '2026-06-05');
    expect(seen(account, '2026-06-05T12:00:00Z')).toEqual([4, 4, 0]);
  });

  test('that ends at midnight does not touch the day that begins then', () => {
    const pauses = [{ from: day('2026-06-02'), until: instant('2026-06-04T00:00:00Z') }];
    const account = player([rule], [campaign({ pauses })]);
    keep(account, '2026-06-01');
    expect(seen(account, '2026-06-05T00:00:00Z')).toEqual([0, 1, 0]);
  });

  test('uses up no grace period', () => {
    const pauses = [{ from: day('2026-06-02'), until: day('2026-06-05') }];
    const account = player([{ ...rule, gracePeriods: 1 }], [campaign({ pauses })]);
    keep(account, '2026-06-01');
    expect(seen(account, '2026-06-06T12:00:00Z')).toEqual([1, 1, 1]);
    expect(seen(account, '2026-06-07T12:00:00Z')).toEqual([1, 1, 0]);
  });
});

test('a year of days leaves no more than three of them to remember', () => {
  const account = player([streak({ target: units(400) })]);
  const start = instant('2026-01-01T12:00:00Z');
  for (let day = 0; day < 365; day += 1) account.send({ at: start + day * 86_400_000 });
  expect(account.assignments.get('m1')).toMatchObject({ progress: units(365) });
  expect(account.assignments.get('m1')?.detail?.streak?.open).toHaveLength(3);
});
