import { describe, expect, test } from 'vitest';
import type { AccountContext } from '../../src/engine/account-context.ts';
import type { CampaignRule, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { DAY, type Timestamp } from '../../src/kernel/time/timestamp.ts';
import { viewMission, viewStored, type AssignmentView } from '../../src/engine/missions/view-mission.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { campaign, HOUR, instant, mission, MONDAY, player, units, type Player } from './fixtures.ts';

function view(account: Player, now: Timestamp | string): AssignmentView | undefined {
  return viewMission(account.plan(), account, instant(now));
}

function joined(since: Timestamp): Map<string, Timestamp> {
  return new Map([['everyone', since]]);
}

/** The status for the same account and state, with other definitions. */
function statusUnder(account: Player, rule: MissionRule, changes: Partial<CampaignRule>, now = MONDAY) {
  const { plan } = player([rule], [campaign(changes)]);
  return viewMission(plan(), account, now)?.status;
}

describe('an item nobody has begun', () => {
  test('is there, with the id that its assignment will have', () => {
    expect(view(player([mission()]), MONDAY)).toEqual({
      id: derivedId('m1', 'a1', ''),
      missionId: 'm1',
      periodKey: '',
      status: 'ACTIVE',
      progress: 0n,
      target: units(10),
      startsAt: undefined,
      expiresAt: undefined,
      startedAt: undefined,
      completedAt: undefined,
      streak: undefined,
      today: undefined,
      locks: [],
      occurrences: undefined,
    });
  });

  test.each<[string, Partial<CampaignRule>, string | undefined]>([
    ['is there while its campaign is active', {}, 'ACTIVE'],
    ['is not there while it is a draft', { status: 'DRAFT' }, undefined],
    ['is not there while it is paused', { status: 'PAUSED' }, undefined],
    ['is expired once it has ended', { status: 'ENDED' }, 'EXPIRED'],
    ['is not there before its start', { startsAt: MONDAY + 1 }, undefined],
    ['is there from its start', { startsAt: MONDAY }, 'ACTIVE'],
    ['is expired from its end', { endsAt: MONDAY }, 'EXPIRED'],
    ['is there until its end', { endsAt: MONDAY + 1 }, 'ACTIVE'],
    ['is not there for others than its audience', { audienceIds: ['others'] }, undefined],
  ])('%s', (_, changes, status) => {
    expect(statusUnder(player([mission()]), mission({ campaignId: 'c1' }), changes)).toBe(status);
  });

  test.each<[string, Partial<AccountContext>, string | undefined]>([
    ['is expired for an account that was there before it ended', { createdAt: MONDAY - 1 }, 'EXPIRED'],
    ['is not there for an account that was created when it had ended', { createdAt: MONDAY }, undefined],
    ['is expired for an account that joined before it ended', { audiences: joined(MONDAY - 1) }, 'EXPIRED'],
    ['is not there for an account that joined when it had ended', { audiences: joined(MONDAY) }, undefined],
  ])('%s', (_, changes, status) => {
    const rule = mission({ campaignId: 'c1' });
    for (const over of [{ endsAt: MONDAY }, { status: 'ENDED' as const, endedAt: MONDAY }]) {
      expect(view(player([rule], [campaign(over)], changes), MONDAY + DAY)?.status).toBe(status);
    }
    expect(view(player([{ ...rule, endsAt: MONDAY }], [campaign()], changes), MONDAY + DAY)?.status).toBe(status);
  });

  test('has no deadline before a CHALLENGE is begun, but its end if it has one', () => {
    const challenge = mission({ type: 'CHALLENGE', durationDays: 7 });
    expect(view(player([challenge]), MONDAY)?.expiresAt).toBeUndefined();
    expect(view(player([{ ...challenge, endsAt: MONDAY + DAY }]), MONDAY)?.expiresAt).toBe(MONDAY + DAY);
  });
});

describe('an item', () => {
  test('shows its progress and its window', () => {
    const account = player([mission({ startsAt: MONDAY - DAY, endsAt: MONDAY + DAY })]);
    account.send({ at: MONDAY });
    expect(view(account, MONDAY + HOUR)).toMatchObject({
      progress: units(1),
      startsAt: MONDAY - DAY,
      expiresAt: MONDAY + DAY,
      startedAt: MONDAY,
    });
  });

  test('expires with the deadline of its CHALLENGE, without any event', () => {
    const account = player([mission({ type: 'CHALLENGE', durationDays: 7 })]);
    account.send({ at: MONDAY });
    expect(view(account, MONDAY + 7 * DAY - 1)).toMatchObject({ status: 'ACTIVE', expiresAt: MONDAY + 7 * DAY });
    expect(view(account, MONDAY + 7 * DAY)).toMatchObject({ status: 'EXPIRED', progress: units(1) });
  });

  test('that is completed stays so: after its end, outside its audience, with its campaign paused or ended', () => {
    const rule = mission({ campaignId: 'c1', target: units(1) });
    const account = player([rule], [campaign()]);
    account.send({ at: MONDAY });
    const later: Partial<CampaignRule>[] = [
      { endsAt: MONDAY },
      { audienceIds: [] },
      { status: 'PAUSED' },
      { status: 'ENDED' },
    ];
    expect(later.map((changes) => statusUnder(account, rule, changes, MONDAY + DAY))).toEqual(
      later.map(() => 'COMPLETED'),
    );
  });

  test('that is begun and no longer for the account is hidden', () => {
    const rule = mission({ campaignId: 'c1' });
    const account = player([rule], [campaign()]);
    account.send({ at: MONDAY });
    expect(statusUnder(account, rule, { audienceIds: [] })).toBeUndefined();
  });
});

describe('a STREAK', () => {
  test('that is completed shows its target, its run and no lapse', () => {
    const account = player([mission({ type: 'STREAK', target: units(2) })]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-06-02T12:00:00Z' });
    expect(view(account, '2026-07-01T12:00:00Z')).toMatchObject({
      status: 'COMPLETED',
      progress: units(2),
      streak: { current: 2, longest: 2, freezesLeft: 0 },
    });
  });
});

describe('a ROUTINE', () => {
  const daily = mission({ type: 'ROUTINE', target: units(2) });

  test('is the assignment of the present period, which ends with it', () => {
    const account = player([daily], [], { timeZone: 'Europe/Madrid' });
    account.send({ at: '2026-03-28T12:00:00Z' });
    expect(view(account, '2026-03-29T12:00:00Z')).toMatchObject({
      id: derivedId('m1', 'a1', '2026-03-29'),
      periodKey: '2026-03-29',
      progress: 0n,
      status: 'ACTIVE',
      startsAt: instant('2026-03-28T23:00:00Z'),
      expiresAt: instant('2026-03-29T22:00:00Z'),
    });
  });

  test('has no longer a window than its definition', () => {
    const bounds = { startsAt: instant('2026-06-01T06:00:00Z'), endsAt: instant('2026-06-01T20:00:00Z') };
    expect(view(player([{ ...daily, ...bounds }]), MONDAY)).toMatchObject({
      startsAt: bounds.startsAt,
      expiresAt: bounds.endsAt,
    });
  });

  test('left unfinished expires with its period, and a finished period stays completed', () => {
    const account = player([daily]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-06-02T12:00:00Z', amount: units(2) });
    const seen = ['2026-06-01', '2026-06-02'].map((key) => {
      const state = account.assignments.get(`m1 ${key}`)!;
      return viewStored(account.plan(), state, account, instant('2026-06-03T00:00:00Z'))?.status;
    });
    expect(seen).toEqual(['EXPIRED', 'COMPLETED']);
  });

  test('shows the finished period until it is over', () => {
    const account = player([daily]);
    account.send({ at: '2026-06-01T12:00:00Z', amount: units(2) });
    expect(view(account, '2026-06-01T23:59:59Z')).toMatchObject({ status: 'COMPLETED', progress: units(2) });
    expect(view(account, '2026-06-02T00:00:00Z')).toMatchObject({ status: 'ACTIVE', progress: 0n });
  });

  test('with all its occurrences is shown as a whole', () => {
    const account = player([{ ...daily, target: units(1), occurrences: 2 }]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-06-02T12:00:00Z' });
    expect(view(account, '2026-06-09T12:00:00Z')).toMatchObject({
      periodKey: '',
      status: 'COMPLETED',
      progress: units(2),
      target: units(2),
    });
  });

  test('with all its occurrences has nothing in progress, though other periods of it were begun', () => {
    const account = player([{ ...daily, occurrences: 1 }]);
    account.send({ at: '2026-06-01T20:00:00Z' });
    account.send({ at: '2026-06-02T12:00:00Z' });
    const begun = () =>
      ['2026-06-01', '2026-06-02'].map((key) => {
        const state = account.assignments.get(`m1 ${key}`)!;
        return viewStored(account.plan(), state, account, instant('2026-06-02T12:00:00Z'))?.status;
      });
    expect(begun()).toEqual(['EXPIRED', 'ACTIVE']);
    account.send({ at: '2026-06-01T21:00:00Z', now: '2026-06-02T12:00:00Z' });
    expect(begun()).toEqual(['COMPLETED', undefined]);
  });

  test('says how many of its occurrences are complete, in the present period and as a whole', () => {
    const account = player([{ ...daily, target: units(1), occurrences: 2 }]);
    const counted = (time: string) => view(account, time)?.occurrences;
    expect(counted('2026-06-01T11:00:00Z')).toEqual({ completed: 0, target: 2 });
    account.send({ at: '2026-06-01T12:00:00Z' });
    expect(counted('2026-06-02T11:00:00Z')).toEqual({ completed: 1, target: 2 });
    account.send({ at: '2026-06-02T12:00:00Z' });
    expect(counted('2026-06-02T12:00:00Z')).toEqual({ completed: 2, target: 2 });
    expect(view(player([daily]), MONDAY)?.occurrences).toBeUndefined();
  });

  test('by day is not there on days that do not count; one by week is', () => {
    const workdays = { conditions: { daysOfWeek: [1, 2, 3, 4, 5] } };
    const saturday = '2026-06-06T12:00:00Z';
    expect(view(player([{ ...daily, ...workdays }]), saturday)).toBeUndefined();
    expect(view(player([{ ...daily, ...workdays }]), '2026-06-05T12:00:00Z')?.status).toBe('ACTIVE');
    expect(view(player([{ ...daily, ...workdays, period: 'WEEK' }]), saturday)?.status).toBe('ACTIVE');
  });
});
