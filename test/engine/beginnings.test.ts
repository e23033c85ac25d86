import { describe, expect, test } from 'vitest';
import type { CampaignRule, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { MINUTE } from '../../src/kernel/time/timestamp.ts';
import { campaign, HOUR, mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

describe('what begins', () => {
  const inCampaign = (rule: Partial<CampaignRule>) => player([mission({ campaignId: 'c1' })], [campaign(rule)]);
  const standalone = (rule: Partial<MissionRule>) => player([mission(rule)]);
  test.each([
    ['a campaign with its activation', inCampaign({ activatedAt: MONDAY })],
    ['a mission of its own with its creation', standalone({ createdAt: MONDAY })],
  ])('counts nothing from before: %s, give or take a minute, because clocks differ', (_, account) => {
    const at = (offset: number) => reasonOf(account.send({ at: MONDAY + offset, now: MONDAY + HOUR }));
    expect([at(-HOUR), at(-MINUTE - 1), at(-MINUTE), at(0)]).toEqual([
      'BEFORE_ACTIVATION',
      'BEFORE_ACTIVATION',
      'progressed',
      'progressed',
    ]);
  });

  test.each([
    ['a campaign', inCampaign({ startsAt: MONDAY - 2 * HOUR, activatedAt: MONDAY }), 'CAMPAIGN_NOT_ACTIVE'],
    ['a mission of its own', standalone({ startsAt: MONDAY - 2 * HOUR, createdAt: MONDAY }), 'NOT_STARTED'],
  ])('counts from its start if it has one, to the moment: %s', (_, account, refused) => {
    const at = (offset: number) => reasonOf(account.send({ at: MONDAY + offset, now: MONDAY + HOUR }));
    expect([at(-2 * HOUR - 1), at(-2 * HOUR)]).toEqual([refused, 'progressed']);
  });

  test('does not show in the feed as a start', () => {
    for (const account of [inCampaign({ activatedAt: MONDAY }), standalone({ createdAt: MONDAY })])
      expect(viewMission(account.plan(), account, MONDAY)).toMatchObject({ status: 'ACTIVE', startsAt: undefined });
  });
});

describe('prerequisites', () => {
  const first = mission({ id: 'm0', programmaticCode: 'SIGN_UP', target: units(1) });
  const second = mission({ conditions: { prerequisiteMissionIds: ['m0'] } });

  test('keep a mission shut until they are completed', () => {
    const account = player([second, first]);
    expect(reasonOf(account.send())).toBe('PREREQUISITE_MISSING');
    account.send({ code: 'SIGN_UP' });
    expect(reasonOf(account.send())).toBe('progressed');
  });

  test.each([
    ['before', -1, 'BEFORE_PREREQUISITE'],
    ['when', 0, 'progressed'],
    ['after', 1, 'progressed'],
  ])('bind by the time of the event that completed them: an event that occurred %s it', (_, offset, outcome) => {
    const account = player([second, first]);
    account.send({ code: 'SIGN_UP', at: MONDAY, now: MONDAY + HOUR });
    expect(reasonOf(account.send({ at: MONDAY + offset, now: MONDAY + HOUR }))).toBe(outcome);
  });

  test('bind by the last of them, and not if a release completed them that did not keep the moment', () => {
    const third = mission({ conditions: { prerequisiteMissionIds: ['m0', 'm2'] } });
    const account = player([third, first, { ...first, id: 'm2', programmaticCode: 'PURCHASE' }]);
    account.send({ code: 'SIGN_UP', at: MONDAY + 2 });
    expect(reasonOf(account.send({ at: MONDAY }))).toBe('PREREQUISITE_MISSING');
    account.send({ code: 'PURCHASE', at: MONDAY - 9 });
    expect(reasonOf(account.send({ at: MONDAY, now: MONDAY + 3 }))).toBe('BEFORE_PREREQUISITE');
    for (const [key, state] of account.assignments)
      account.assignments.set(key, { ...state, completionOccurredAt: undefined });
    expect(reasonOf(account.send({ at: MONDAY, now: MONDAY + 3 }))).toBe('progressed');
  });

  test.each([
    ['STREAK', { target: units(2) }],
    ['ROUTINE', { occurrences: 2 }],
    ['CHALLENGE', { target: units(2), durationDays: 9 }],
  ] as const)('that are a %s bind by the event that completed it as a whole', (type, rule) => {
    const account = player([second, { ...first, type, ...rule }]);
    for (const at of [MONDAY, MONDAY + 24 * HOUR]) account.send({ code: 'SIGN_UP', at });
    const at = (moment: number) => reasonOf(account.send({ at: moment, now: MONDAY + 25 * HOUR }));
    expect([at(MONDAY + 23 * HOUR), at(MONDAY + 24 * HOUR)]).toEqual(['BEFORE_PREREQUISITE', 'progressed']);
  });

  test('begun are not completed', () => {
    const account = player([second, { ...first, target: units(2) }]);
    account.send({ code: 'SIGN_UP' });
    expect(reasonOf(account.send())).toBe('PREREQUISITE_MISSING');
  });

  test('are judged before the event: the one that completes them does not count for what it unlocks', () => {
    const login = { ...first, programmaticCode: 'LOGIN' };
    for (const order of [
      [login, second],
      [second, login],
    ]) {
      const account = player(order);
      account.send();
      expect(account.assignments.has('m1')).toBe(false);
      account.send();
      expect(account.assignments.get('m1')?.progress).toBe(units(1));
    }
  });
});
