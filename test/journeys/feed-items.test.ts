import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FeedItemSchema } from '../../gen/laurel/v1/assignment_pb.ts';
import { FeedService } from '../../gen/laurel/v1/feed_service_pb.ts';
import { callByGrpcJs } from '../server/grpc-js.ts';
import type { RestAnswer } from '../support/service.ts';
import { type Journey, startJourney, type Stage } from './stage.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
});
afterAll(() => journey.service.close());

async function at(moment: string, timeZone?: string) {
  journey.clock.set(moment);
  const stage = await journey.stage(timeZone);
  const ada = stage.player('ada');
  const id = await ada.id();
  const move = async (zone: string) => {
    expect(await stage.rest('PATCH', `/accounts/${id}`, { timeZone: zone })).toMatchObject({ status: 200 });
  };
  return { stage, ada, move };
}

/** The feed of `ada` at a moment, over REST; over gRPC it must be the same. */
async function feedAt(stage: Stage, moment: string): Promise<RestAnswer['body']> {
  journey.clock.set(moment);
  const items = await stage.player('ada').feed();
  const address = `127.0.0.1:${journey.service.app.port}`;
  const { getFeed } = FeedService.method;
  const request = fromJson(getFeed.input, { accountId: 'ada', idType: 'EXTERNAL' });
  const overGrpc = await callByGrpcJs(address, getFeed, request, stage.apiKey);
  const overRest = items.map((item: JsonValue) => fromJson(FeedItemSchema, item));
  expect(overGrpc.items.map((item) => toJson(FeedItemSchema, item))).toEqual(
    overRest.map((item: ReturnType<typeof fromJson<typeof FeedItemSchema>>) => toJson(FeedItemSchema, item)),
  );
  return items;
}

async function streakAt(stage: Stage, moment: string): Promise<RestAnswer['body']> {
  const [{ streak }] = await feedAt(stage, moment);
  return streak;
}

const streakOf = (mission: object = {}) => ({ missions: [{ type: 'STREAK', target: 30, ...mission }] });

describe('an item says what it asks for', () => {
  test('as data: campaign, event, what an event adds, and conditions as the administration has them', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const conditions = {
      minAmount: 2.5,
      maxAmount: 90,
      maxPerPeriod: 100,
      daysOfWeek: ['TUESDAY', 'FRIDAY'],
      timeFrom: '08:00',
      timeTo: '20:00',
    };
    const { campaignId } = await stage.game({
      campaign: { name: 'Spring', startsAt: undefined },
      missions: [{ programmaticCode: 'PURCHASE', target: 500, conditions }, { name: 'Plain' }],
    });
    const [asking, plain] = await feedAt(stage, '2027-06-01T12:00Z');
    const { missions, version, name, audienceIds, rewardIds } = (
      await stage.rest('GET', `/admin/campaigns/${campaignId}`)
    ).body;
    expect(asking).toMatchObject({
      campaignId,
      campaignName: 'Spring',
      programmaticCode: 'PURCHASE',
      eventType: 'AMOUNT',
      period: 'DAY',
      conditions: missions[0].conditions,
    });
    expect(missions[0].conditions).toMatchObject(conditions);
    expect(plain).toMatchObject({ campaignName: 'Spring', programmaticCode: 'LOGIN', eventType: 'SINGLE', locks: [] });
    for (const absent of ['conditions', 'period', 'streak']) expect(plain).not.toHaveProperty(absent);

    const drafts = missions.map(
      ({ id, type, name: title, programmaticCode, target, conditions: asked }: RestAnswer['body']) => ({
        id,
        type,
        name: title,
        programmaticCode,
        target,
        conditions: asked,
      }),
    );
    const renamed = { name: `${name} 2`, audienceIds, rewardIds, missions: drafts };
    const put = await stage.rest('PUT', `/admin/campaigns/${campaignId}`, { version, campaign: renamed });
    expect(put, JSON.stringify(put.body)).toMatchObject({ status: 200 });
    expect(await ada.feed()).toMatchObject([{ campaignName: 'Spring 2' }, { campaignName: 'Spring 2' }]);
  });

  test('without a campaign where it belongs to none, and another client reads nothing of it', async () => {
    const { stage } = await at('2027-06-01T12:00Z');
    const { audienceId } = await stage.game({ campaign: { name: 'Ours' } });
    await stage.admin('/admin/missions', {
      audienceId,
      mission: { type: 'ROUTINE', name: 'Alone', programmaticCode: 'LOGIN', target: 1, period: 'WEEK' },
    });
    const items = await feedAt(stage, '2027-06-01T12:00Z');
    expect(items).toMatchObject([{ campaignName: 'Ours' }, { campaignId: null, name: 'Alone', period: 'WEEK' }]);
    expect(items[1]).not.toHaveProperty('campaignName');
    const other = await journey.stage();
    expect(await feedAt(other, '2027-06-01T12:00Z')).toEqual([]);
    const id = await stage.player('ada').id();
    expect(await other.rest('GET', `/v1/feed/account/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('a streak says what today needs and until when it must be kept', () => {
  test('through a day of 23 hours: kept, not kept yet, lost', async () => {
    const { stage, ada } = await at('2027-03-27T12:00[Europe/Madrid]', 'Europe/Madrid');
    await stage.game(streakOf());
    const unkept = { todayProgress: 0, todayTarget: 1, keptToday: false, todayEndsAt: '2027-03-27T23:00:00Z' };
    const none = { current: 0, longest: 0, freezesLeft: 0 };
    expect(await streakAt(stage, '2027-03-27T12:00[Europe/Madrid]')).toEqual({ ...none, ...unkept });
    await ada.emit('LOGIN');
    const keepUntil = '2027-03-28T22:00:00Z';
    const one = { current: 1, longest: 1, freezesLeft: 0 };
    expect(await streakAt(stage, '2027-03-27T23:59[Europe/Madrid]')).toEqual({
      ...one,
      ...unkept,
      todayProgress: 1,
      keptToday: true,
      keepUntil,
    });
    const inSpring = { ...one, ...unkept, todayEndsAt: keepUntil, keepUntil };
    expect(await streakAt(stage, '2027-03-28T00:00[Europe/Madrid]')).toEqual(inSpring);
    expect(await streakAt(stage, '2027-03-28T21:59:59.999Z')).toEqual(inSpring);
    expect(await streakAt(stage, '2027-03-28T22:00Z')).toEqual({
      ...one,
      current: 0,
      ...unkept,
      todayEndsAt: '2027-03-29T22:00:00Z',
    });
  });

  test('by its freezes and the end of its campaign, with a part of what a week needs', async () => {
    const { stage, ada } = await at('2027-06-02T12:00Z');
    const weekly = { programmaticCode: 'PURCHASE', period: 'WEEK', perPeriodTarget: 50, gracePeriods: 1 };
    await stage.game({ ...streakOf(weekly), campaign: { endsAt: '2027-06-25T18:00:00Z' } });
    await ada.emit('PURCHASE', { amount: 30.5 });
    expect(await streakAt(stage, '2027-06-02T12:00Z')).toEqual({
      current: 0,
      longest: 0,
      freezesLeft: 1,
      todayProgress: 30.5,
      todayTarget: 50,
      keptToday: false,
      todayEndsAt: '2027-06-07T00:00:00Z',
    });
    await ada.emit('PURCHASE', { amount: 30 });
    expect(await streakAt(stage, '2027-06-02T12:00Z')).toMatchObject({
      current: 1,
      todayProgress: 50,
      keptToday: true,
      keepUntil: '2027-06-21T00:00:00Z',
    });
    journey.clock.set('2027-06-09T12:00Z');
    await ada.emit('PURCHASE', { amount: 50 });
    // Without the end of the campaign, the date would be 28 June.
    expect(await streakAt(stage, '2027-06-09T12:00Z')).toMatchObject({
      current: 2,
      freezesLeft: 1,
      keepUntil: '2027-06-25T18:00:00Z',
    });
    journey.clock.set('2027-06-25T18:00Z');
    expect(await ada.feed('EXPIRED')).toMatchObject([
      { streak: expect.toSatisfy((streak) => !('keptToday' in streak) && !('keepUntil' in streak)) },
    ]);
  });

  test('on the calendar of a traveller: what the flight took is not asked for, the day after it is', async () => {
    const { stage, ada, move } = await at('2027-05-30T08:00Z');
    await move('Pacific/Niue');
    journey.clock.set('2027-06-02T08:00Z');
    await stage.game(streakOf());
    await ada.emit('LOGIN');
    expect(await streakAt(stage, '2027-06-02T10:29Z')).toMatchObject({ keepUntil: '2027-06-03T11:00:00Z' });
    journey.clock.set('2027-06-02T10:30Z');
    await move('Pacific/Kiritimati');
    const today = { keptToday: false, todayEndsAt: '2027-06-03T10:00:00Z', keepUntil: '2027-06-04T10:00:00Z' };
    expect(await streakAt(stage, '2027-06-02T10:31Z')).toMatchObject({ current: 1, ...today });
    expect(await streakAt(stage, '2027-06-04T09:59:59Z')).toMatchObject({ current: 1 });
    expect(await streakAt(stage, '2027-06-04T10:00Z')).toMatchObject({ current: 0, keptToday: false });
  });

  test('after a pause: no day that touches it is asked for, and while it lasts nothing is said', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const { campaignId } = await stage.game(streakOf());
    await ada.emit('LOGIN');
    expect(await streakAt(stage, '2027-06-02T12:00Z')).toMatchObject({ keepUntil: '2027-06-03T00:00:00Z' });
    await stage.admin(`/admin/campaigns/${campaignId}/pause`);
    expect(await feedAt(stage, '2027-06-04T12:00Z')).toEqual([]);
    journey.clock.set('2027-06-05T12:00Z');
    await stage.admin(`/admin/campaigns/${campaignId}/activate`);
    const goesOn = { current: 1, keptToday: false, todayEndsAt: '2027-06-06T00:00:00Z' };
    expect(await streakAt(stage, '2027-06-05T12:01Z')).toMatchObject({ ...goesOn, keepUntil: '2027-06-07T00:00:00Z' });
    expect(await streakAt(stage, '2027-06-06T23:59:59Z')).toMatchObject({ current: 1 });
    expect(await streakAt(stage, '2027-06-07T00:00Z')).toMatchObject({ current: 0 });
  });

  test('a completed mission shows no period of today', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    await stage.game(streakOf({ target: 1, conditions: { timeTo: '13:00' } }));
    await ada.emit('LOGIN');
    journey.clock.set('2027-06-01T14:00Z');
    const [item] = await ada.feed('COMPLETED');
    expect(item.streak).toEqual({ current: 1, longest: 1, freezesLeft: 0 });
    expect(item.locks).toEqual([]);
  });
});

describe('an item says what locks it', () => {
  const waitsFor = (...prerequisiteMissionIds: string[]) => ({ conditions: { prerequisiteMissionIds } });
  const standalone = async (stage: Stage, audienceId: string, name: string) => {
    const mission = { type: 'MISSION', name, programmaticCode: 'LOGIN', target: 1 };
    return (await stage.admin('/admin/missions', { audienceId, mission })).id as string;
  };

  test('by other missions, until the account has completed them, each with its campaign', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const first = await stage.game({ campaign: { name: 'Basics' }, missions: [{ name: 'First', target: 2 }] });
    const alone = await standalone(stage, first.audienceId, 'Alone');
    await stage.game({ missions: [{ name: 'Second', ...waitsFor(first.missionIds[0]!, alone) }] });
    const lock = { kind: 'PREREQUISITE_MISSION', met: false };
    const ofFirst = { missionId: first.missionIds[0], missionName: 'First' };
    const inBasics = { ...lock, ...ofFirst, campaignId: first.campaignId, campaignName: 'Basics' };
    const locksOf = async () =>
      (await feedAt(stage, '2027-06-01T12:00Z')).find(({ name }: { name: string }) => name === 'Second').locks;
    expect(await locksOf()).toEqual([inBasics, { ...lock, missionId: alone, missionName: 'Alone' }]);
    await ada.emit('LOGIN');
    expect(await locksOf()).toMatchObject([{ met: false }, { met: true }]);
    await ada.emit('LOGIN');
    expect(await locksOf()).toMatchObject([{ met: true }, { met: true }]);
    const { progressedMissions } = await ada.emit('LOGIN');
    expect(progressedMissions).toMatchObject([{ name: 'Second', status: 'COMPLETED' }]);
  });

  test('by name unless the other mission is in a draft, which cannot be deleted meanwhile; one that ended stays named', async () => {
    const { stage } = await at('2027-06-01T12:00Z');
    const draft = await stage.game({ activate: false, campaign: { name: 'Secret' }, missions: [{ name: 'Secret' }] });
    const ended = await standalone(stage, draft.audienceId, 'Over');
    await stage.admin(`/admin/missions/${ended}/end`);
    await stage.game({ missions: [waitsFor(draft.missionIds[0]!, ended)] });
    const [item] = await feedAt(stage, '2027-06-01T12:00Z');
    expect(item.locks).toEqual([
      { kind: 'PREREQUISITE_MISSION', met: false, missionId: draft.missionIds[0] },
      { kind: 'PREREQUISITE_MISSION', met: false, missionId: ended, missionName: 'Over' },
    ]);
    const removal = await stage.rest('DELETE', `/admin/campaigns/${draft.campaignId}`);
    expect(removal).toMatchObject({ status: 409, body: { code: 'MISSION_IN_USE' } });
    await stage.admin(`/admin/campaigns/${draft.campaignId}/activate`);
    const items = await feedAt(stage, '2027-06-01T12:00Z');
    expect(items[1].locks[0]).toMatchObject({ missionName: 'Secret', campaignName: 'Secret' });
  });

  test('by its hours: when they open again, and that they do not before the end', async () => {
    const { stage, ada } = await at('2027-06-01T12:00Z');
    const conditions = { daysOfWeek: ['TUESDAY', 'SUNDAY'], timeFrom: '18:00', timeTo: '20:00' };
    await stage.game({ campaign: { endsAt: '2027-06-09T00:00:00Z' }, missions: [{ target: 9, conditions }] });
    const locksAt = async (moment: string) => (await feedAt(stage, moment))[0].locks;
    const closedUntil = (opensAt?: string) => [{ kind: 'OUTSIDE_HOURS', met: false, ...(opensAt ? { opensAt } : {}) }];
    expect(await locksAt('2027-06-01T17:59:59.999Z')).toEqual(closedUntil('2027-06-01T18:00:00Z'));
    expect((await ada.emit('LOGIN')).progressedMissions).toEqual([]);
    expect(await locksAt('2027-06-01T18:00Z')).toEqual([]);
    expect((await ada.emit('LOGIN')).progressedMissions).toHaveLength(1);
    expect(await locksAt('2027-06-01T20:00Z')).toEqual(closedUntil('2027-06-06T18:00:00Z'));
    expect(await locksAt('2027-06-08T20:00Z')).toEqual(closedUntil());
  });
});
