import { describe, expect, test } from 'vitest';
import type { MissionConditions, CampaignRule } from '../../src/engine/missions/mission-rule.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { MINUTE, type Timestamp } from '../../src/kernel/time/timestamp.ts';
import { campaign, HOUR, mission, MONDAY, player, reasonOf, type Sent, units } from './fixtures.ts';

function conditioned(conditions: MissionConditions, timeZone = 'UTC') {
  return player([mission({ target: units(1000), conditions })], [], { timeZone });
}

describe('a campaign', () => {
  test.each<[string, Partial<CampaignRule>, string]>([
    ['counts while active', {}, 'progressed'],
    ['counts nothing as a draft', { status: 'DRAFT' }, 'CAMPAIGN_NOT_ACTIVE'],
    [
      'counts nothing while paused',
      { status: 'PAUSED', pauses: [{ from: MONDAY, until: Infinity }] },
      'CAMPAIGN_PAUSED',
    ],
    [
      'counts nothing while a host of 0.1.0 has it paused, which tells not since when',
      { status: 'PAUSED' },
      'CAMPAIGN_PAUSED',
    ],
    ['counts nothing that occurred in a pause', { pauses: [{ from: MONDAY, until: MONDAY + 1 }] }, 'CAMPAIGN_PAUSED'],
    ['counts what occurred after a pause', { pauses: [{ from: MONDAY - 1, until: MONDAY }] }, 'progressed'],
    ['counts nothing once ended', { status: 'ENDED', endedAt: MONDAY }, 'CAMPAIGN_NOT_ACTIVE'],
    ['counts from its start', { startsAt: MONDAY }, 'progressed'],
    ['counts nothing before its start', { startsAt: MONDAY + 1 }, 'CAMPAIGN_NOT_ACTIVE'],
    ['counts until its end', { endsAt: MONDAY + 1 }, 'progressed'],
    ['counts nothing from its end on', { endsAt: MONDAY }, 'CAMPAIGN_NOT_ACTIVE'],
    ['is for the accounts of any of its audiences', { audienceIds: ['others', 'everyone'] }, 'progressed'],
    ['is for no other account', { audienceIds: ['others'] }, 'NOT_IN_AUDIENCE'],
    ['without audiences is for nobody', { audienceIds: [] }, 'NOT_IN_AUDIENCE'],
  ])('%s', (_, changes, outcome) => {
    expect(reasonOf(player([mission({ campaignId: 'c1' })], [campaign(changes)]).send({ at: MONDAY }))).toBe(outcome);
  });

  test.each<[string, Partial<CampaignRule>]>([
    ['its end', { endsAt: MONDAY }],
    ['somebody ended it', { status: 'ENDED', endedAt: MONDAY }],
    ['somebody ended it early', { status: 'ENDED', endedAt: MONDAY, endsAt: MONDAY + HOUR }],
    ['its end, ended by somebody later', { status: 'ENDED', endedAt: MONDAY + HOUR, endsAt: MONDAY }],
  ])('takes what occurred before %s, whenever it is applied, and nothing later', (_, changes) => {
    const outcome = (sent: Sent) =>
      reasonOf(
        player([mission({ campaignId: 'c1' })], [campaign(changes)]).send({ now: MONDAY + 900 * HOUR, ...sent }),
      );
    expect(outcome({ at: MONDAY - 1 })).toBe('progressed');
    expect(outcome({ at: MONDAY - 1, acceptedAt: MONDAY - 1 })).toBe('progressed');
    expect(outcome({ at: MONDAY, acceptedAt: MONDAY })).toBe('CAMPAIGN_NOT_ACTIVE');
  });

  const [from, until] = [MONDAY, MONDAY + HOUR];
  test.each<[string, { at: Timestamp; acceptedAt: Timestamp }, string]>([
    ['accepted before it', { at: from - 1, acceptedAt: from - 1 }, 'progressed'],
    ['that occurred before it and was accepted in it', { at: from - 1, acceptedAt: from }, 'CAMPAIGN_PAUSED'],
    ['that occurred before it and was accepted after it', { at: from - 1, acceptedAt: until }, 'progressed'],
    ['that occurred and was accepted in it', { at: from, acceptedAt: until - 1 }, 'CAMPAIGN_PAUSED'],
    ['that occurred in it and was accepted after it', { at: until - 1, acceptedAt: until }, 'CAMPAIGN_PAUSED'],
    ['that occurred after it', { at: until, acceptedAt: until }, 'progressed'],
  ])('has an event %s judged by those two moments, whenever it is applied', (_, moments, outcome) => {
    const states: Array<[Partial<CampaignRule>, Timestamp]> = [
      [{ pauses: [{ from, until }] }, until],
      [{ pauses: [{ from, until }], status: 'ENDED', endedAt: until + HOUR }, until + 2 * HOUR],
      [{ pauses: [{ from, until: Infinity }], status: 'PAUSED' }, from],
    ];
    for (const [changes, since] of states) {
      // During the pause, its end is unknown.
      if (changes.status === 'PAUSED' && moments.acceptedAt >= until) continue;
      const account = player([mission({ campaignId: 'c1' })], [campaign(changes)]);
      expect(reasonOf(account.send({ ...moments, now: Math.max(since, moments.acceptedAt) }))).toBe(outcome);
    }
  });
});

describe('an account that joined an audience', () => {
  const joined = (since: Timestamp) => new Map([['everyone', since]]);

  test.each([
    ['an hour before it joined', -HOUR, 'BEFORE_JOINING'],
    ['more than a minute before it joined', -MINUTE - 1, 'BEFORE_JOINING'],
    ['a minute before it joined, because clocks differ', -MINUTE, 'progressed'],
    ['when it joined', 0, 'progressed'],
  ])('has what occurred %s judged by that moment', (_, offset, outcome) => {
    const audiences = joined(MONDAY);
    const inCampaign = player([mission({ campaignId: 'c1' })], [campaign()], { audiences });
    const standalone = player([mission({ audienceId: 'everyone' })], [], { audiences });
    const sent = { at: MONDAY + offset, now: MONDAY + HOUR };
    expect([inCampaign, standalone].map((account) => reasonOf(account.send(sent)))).toEqual([outcome, outcome]);
  });

  test('events count from the earliest joining of one of the audiences; without audiences they always count', () => {
    const audiences = new Map([
      ['late', MONDAY],
      ['early', MONDAY - 9 * HOUR],
    ]);
    const rule = mission({ campaignId: 'c1' });
    const both = player([rule], [campaign({ audienceIds: ['late', 'early'] })], { audiences });
    expect(reasonOf(both.send({ at: MONDAY - HOUR, now: MONDAY }))).toBe('progressed');
    expect(reasonOf(player([mission()], [], { audiences }).send({ at: MONDAY - 20 * HOUR, now: MONDAY }))).toBe(
      'progressed',
    );
  });
});

describe('an account that left an audience', () => {
  const former = (...hours: [from: number, until: number][]) =>
    new Map([
      ['everyone', hours.map(([from, until]) => ({ from: MONDAY + from * HOUR, until: MONDAY + until * HOUR }))],
    ]);
  const outcomeAt = (at: Timestamp, formerAudiences: ReturnType<typeof former>, since?: Timestamp) => {
    const audiences = new Map(since === undefined ? [] : [['everyone', since]]);
    const inCampaign = player([mission({ campaignId: 'c1' })], [campaign()], { audiences, formerAudiences });
    const standalone = player([mission({ audienceId: 'everyone' })], [], { audiences, formerAudiences });
    const reasons = [inCampaign, standalone].map((each) => reasonOf(each.send({ at, now: MONDAY + 9 * HOUR })));
    expect(reasons[0]).toBe(reasons[1]);
    return reasons[0];
  };

  test.each([
    ['more than a minute before it joined', -MINUTE - 1, 'NOT_IN_AUDIENCE'],
    ['a minute before it joined', -MINUTE, 'progressed'],
    ['when it joined', 0, 'progressed'],
    ['the moment before it left', HOUR - 1, 'progressed'],
    ['when it left', HOUR, 'NOT_IN_AUDIENCE'],
    ['after it left', 2 * HOUR, 'NOT_IN_AUDIENCE'],
  ])('has what occurred %s counted by where it was then', (_, offset, outcome) => {
    expect(outcomeAt(MONDAY + offset, former([0, 1]))).toBe(outcome);
  });

  test.each([
    ['in its first membership', 0, 'progressed'],
    ['between the two', 1, 'BEFORE_JOINING'],
    ['a minute before its second', 3 - 1 / 60, 'progressed'],
    ['in its second', 4, 'progressed'],
    ['after that', 5, 'BEFORE_JOINING'],
    ['in its present one', 7, 'progressed'],
  ])('and came back has what occurred %s judged by that', (_, hour, outcome) => {
    expect(outcomeAt(MONDAY + hour * HOUR, former([0, 1], [3, 5]), MONDAY + 7 * HOUR)).toBe(outcome);
  });

  test('counts what occurred in any of the audiences that the mission is for, and in no other', () => {
    const rule = mission({ campaignId: 'c1' });
    const left = { audiences: new Map(), formerAudiences: former([0, 1]) };
    const reasonFor = (audienceIds: string[]) =>
      reasonOf(player([rule], [campaign({ audienceIds })], left).send({ at: MONDAY, now: MONDAY + 2 * HOUR }));
    expect([reasonFor(['others', 'everyone']), reasonFor(['others'])]).toEqual(['progressed', 'NOT_IN_AUDIENCE']);
  });

  test('has nothing of the mission in its feed', () => {
    const left = player([mission({ campaignId: 'c1' })], [campaign()], {
      audiences: new Map(),
      formerAudiences: former([0, 1]),
    });
    left.send({ at: MONDAY, now: MONDAY + 2 * HOUR });
    expect(left.assignments.size).toBe(1);
    expect(viewMission(left.plan(), left, MONDAY + 2 * HOUR)).toBeUndefined();
  });
});

describe('a standalone mission', () => {
  test('is for every account unless it names an audience', () => {
    expect(reasonOf(player([mission()], [], { audiences: new Map() }).send())).toBe('progressed');
    expect(reasonOf(player([mission({ audienceId: 'vip' })]).send())).toBe('NOT_IN_AUDIENCE');
    expect(reasonOf(player([mission({ audienceId: 'everyone' })]).send())).toBe('progressed');
  });

  test.each([
    [{ startsAt: MONDAY }, 'progressed'],
    [{ startsAt: MONDAY + 1 }, 'NOT_STARTED'],
    [{ endsAt: MONDAY + 1 }, 'progressed'],
    [{ endsAt: MONDAY }, 'EXPIRED'],
  ])('with %j and an event at the bound: %s', (window, outcome) => {
    expect(reasonOf(player([mission(window)]).send({ at: MONDAY }))).toBe(outcome);
  });

  test('has the narrower of its own window and the one of its campaign', () => {
    const inside = { campaignId: 'c1', startsAt: MONDAY - HOUR, endsAt: MONDAY + HOUR };
    const account = player([mission(inside)], [campaign({ startsAt: MONDAY - 9 * HOUR, endsAt: MONDAY + 9 * HOUR })]);
    expect(reasonOf(account.send({ at: MONDAY - 2 * HOUR }))).toBe('NOT_STARTED');
    expect(reasonOf(account.send({ at: MONDAY }))).toBe('progressed');
    expect(reasonOf(account.send({ at: MONDAY + 2 * HOUR }))).toBe('EXPIRED');
  });
});

describe('the amount', () => {
  test.each([
    [199_999n, 'BELOW_MINIMUM'],
    [200_000n, 'progressed'],
    [500_000n, 'progressed'],
    [500_001n, 'ABOVE_MAXIMUM'],
  ])('%s of 20 to 50 units: %s', (amount, outcome) => {
    expect(reasonOf(conditioned({ minAmount: units(20), maxAmount: units(50) }).send({ amount }))).toBe(outcome);
  });
});

describe('hours', () => {
  test.each<[string, MissionConditions, string, string]>([
    ['from counts', { timeFrom: '09:00', timeTo: '17:30' }, '2026-06-01T09:00:00Z', 'progressed'],
    ['before from does not', { timeFrom: '09:00', timeTo: '17:30' }, '2026-06-01T08:59:59.999Z', 'OUTSIDE_HOURS'],
    ['the last moment counts', { timeFrom: '09:00', timeTo: '17:30' }, '2026-06-01T17:29:59.999Z', 'progressed'],
    ['to does not', { timeFrom: '09:00', timeTo: '17:30' }, '2026-06-01T17:30:00Z', 'OUTSIDE_HOURS'],
    ['without to: until midnight', { timeFrom: '18:00' }, '2026-06-01T23:59:59Z', 'progressed'],
    ['without to: not in the morning', { timeFrom: '18:00' }, '2026-06-01T00:00:00Z', 'OUTSIDE_HOURS'],
    ['until 00:00 crosses nothing', { timeFrom: '18:00', timeTo: '00:00' }, '2026-06-01T00:00:00Z', 'OUTSIDE_HOURS'],
    ['without from: from midnight', { timeTo: '06:00' }, '2026-06-01T00:00:00Z', 'progressed'],
    ['without from: until to', { timeTo: '06:00' }, '2026-06-01T06:00:00Z', 'OUTSIDE_HOURS'],
    ['from nine to nine: before nine', { timeFrom: '09:00', timeTo: '09:00' }, '2026-06-01T08:59:59Z', 'progressed'],
    ['from nine to nine: at nine', { timeFrom: '09:00', timeTo: '09:00' }, '2026-06-01T09:00:00Z', 'progressed'],
    ['across midnight: evening', { timeFrom: '22:00', timeTo: '02:00' }, '2026-06-01T22:00:00Z', 'progressed'],
    ['across midnight: small hours', { timeFrom: '22:00', timeTo: '02:00' }, '2026-06-01T01:59:59Z', 'progressed'],
    ['across midnight: closing', { timeFrom: '22:00', timeTo: '02:00' }, '2026-06-01T02:00:00Z', 'OUTSIDE_HOURS'],
    ['across midnight: noon', { timeFrom: '22:00', timeTo: '02:00' }, '2026-06-01T12:00:00Z', 'OUTSIDE_HOURS'],
    ['a listed day counts', { daysOfWeek: [1, 7] }, '2026-06-01T00:00:00Z', 'progressed'],
    ['Sunday is the seventh', { daysOfWeek: [1, 7] }, '2026-06-07T23:59:59Z', 'progressed'],
    ['another day does not', { daysOfWeek: [1, 7] }, '2026-06-02T12:00:00Z', 'OUTSIDE_HOURS'],
  ])('%s', (_, conditions, at, outcome) => {
    expect(reasonOf(conditioned(conditions).send({ at }))).toBe(outcome);
  });

  test.each([
    ['Friday evening', '2026-06-05T22:30:00Z', 'progressed'],
    ['the night to Saturday', '2026-06-06T01:30:00Z', 'progressed'],
    ['the night to Friday', '2026-06-05T01:30:00Z', 'OUTSIDE_HOURS'],
    ['Saturday evening', '2026-06-06T22:30:00Z', 'OUTSIDE_HOURS'],
  ])('that open on Friday and cross midnight belong to Friday: %s', (_, at, outcome) => {
    const account = conditioned({ daysOfWeek: [5], timeFrom: '22:00', timeTo: '02:00' });
    expect(reasonOf(account.send({ at }))).toBe(outcome);
  });

  test.each([
    ['winter in Madrid, nine', 'Europe/Madrid', '2026-01-12T08:00:00Z', 'progressed'],
    ['winter in Madrid, eight', 'Europe/Madrid', '2026-01-12T07:00:00Z', 'OUTSIDE_HOURS'],
    ['summer in Madrid, nine', 'Europe/Madrid', '2026-06-01T07:00:00Z', 'progressed'],
    ['the day after the change, nine', 'Europe/Madrid', '2026-03-30T07:00:00Z', 'progressed'],
    ['Monday in Santiago, ten on Sunday night', 'America/Santiago', '2026-06-01T02:00:00Z', 'OUTSIDE_HOURS'],
  ])('are those of the account: %s', (_, timeZone, at, outcome) => {
    const account = conditioned({ daysOfWeek: [1], timeFrom: '09:00' }, timeZone);
    expect(reasonOf(account.send({ at }))).toBe(outcome);
  });

  test('go by when an event occurred, not by when it arrived', () => {
    const account = conditioned({ timeFrom: '09:00', timeTo: '10:00' });
    expect(reasonOf(account.send({ at: '2026-06-01T09:30:00Z', now: '2026-06-01T20:00:00Z' }))).toBe('progressed');
  });
});
