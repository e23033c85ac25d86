import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newProduct } from '../support/game.ts';
import { type Journey, type Player, type Stage, startJourney } from './stage.ts';

let journey: Journey;
let stage: Stage;
let codes = 0;

beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00Z');
  stage = await journey.stage();
});
afterAll(() => journey.service.close());

/** A mission of amounts of a new code, in an active campaign whose own reward is paid only to those who claim it. */
async function newMission(mission: object, game: object = {}) {
  const code = `ROUNDS_${(codes += 1)}`;
  const created = await stage.game({
    codes: { [code]: 'AMOUNT' },
    missions: [{ programmaticCode: code, ...mission }],
    campaign: { claimPolicy: 'EXPLICIT' },
    ...game,
  });
  return { ...created, code };
}

const newReward = (reward: object): Promise<{ readonly id: string }> => stage.admin('/admin/rewards', reward);
const onlyItem = async (player: Player, missionId: string, ...statuses: string[]) =>
  (await player.feed(...statuses)).find((item: { readonly missionId: string }) => item.missionId === missionId);

describe('a mission that repeats', () => {
  test('pays each multiple of its target, and answers and shows what the guide says', async () => {
    const points = await newReward({ name: '10 points', type: 'POINTS', amount: 10 });
    const { code, missionIds } = await newMission({ target: 100, repeat: { max: 5 }, rewardIds: [points.id] });
    const ada = stage.player('ada');
    const shown = async (amount: number) => {
      const { progressedMissions, rewards } = await ada.emit(code, { amount });
      const [effect] = progressedMissions;
      const item = await onlyItem(ada, missionIds[0]!, 'ACTIVE', 'COMPLETED');
      return [effect, rewards.map(({ amount: paid }: { amount: number }) => paid), item];
    };
    expect(await shown(60)).toMatchObject([
      { status: 'ACTIVE', progress: 60, completions: 0 },
      [],
      { status: 'ACTIVE', progress: 60, completions: 0, repeat: { max: 5 } },
    ]);
    expect(await shown(50)).toMatchObject([
      { status: 'COMPLETED', previousProgress: 60, progress: 100, completions: 1, rounds: 1, carriedOver: 10 },
      [10],
      { status: 'ACTIVE', progress: 10, completions: 1, completedAt: '2027-06-01T12:00:00Z' },
    ]);
    expect(await shown(250)).toMatchObject([
      { status: 'COMPLETED', progress: 100, completions: 3, rounds: 2, carriedOver: 60 },
      [10, 10],
      { status: 'ACTIVE', progress: 60, completions: 3 },
    ]);
    const [last, paid, item] = await shown(500);
    expect([last, paid, item]).toMatchObject([
      { status: 'COMPLETED', progress: 100, completions: 5, rounds: 2 },
      [10, 10],
      { status: 'COMPLETED', progress: 100, completions: 5 },
    ]);
    expect(last).not.toHaveProperty('carriedOver');
    expect((await ada.emit(code, { amount: 100 })).progressedMissions).toEqual([]);
    expect(await ada.points()).toMatchObject({ available: 50 });
  });

  test('is a read of progress with its round until it is over, and of completed missions afterwards', async () => {
    const { code, missionIds } = await newMission({ target: 10, repeat: { max: 2 } });
    const bob = stage.player('bob');
    const read = async (list: string) =>
      (await bob.get(`/v1/gamification/missions/${list}/{id}`)).filter(
        ({ missionId }: { missionId: string }) => missionId === missionIds[0],
      );
    await bob.emit(code, { amount: 13 });
    expect(await read('progress')).toMatchObject([{ status: 'ACTIVE', progress: 3, completions: 1 }]);
    expect(await read('completed')).toEqual([]);
    await bob.emit(code, { amount: 7 });
    expect(await read('progress')).toEqual([]);
    expect(await read('completed')).toMatchObject([{ status: 'COMPLETED', progress: 10, completions: 2 }]);
  });

  test('pays a hundred rounds of one event as one delivery of points, and ninety-nine one by one', async () => {
    const points = await newReward({ name: '3 points', type: 'POINTS', amount: 3 });
    const { code } = await newMission({ target: 1, repeat: {}, rewardIds: [points.id] });
    const [few, many] = [stage.player('few'), stage.player('many')];
    expect((await few.emit(code, { amount: 99 })).rewards).toHaveLength(99);
    expect((await many.emit(code, { amount: 100 })).rewards).toMatchObject([{ amount: 300 }]);
    expect([await few.points(), await many.points()]).toMatchObject([{ available: 297 }, { available: 300 }]);
  });

  test('pays at most the maximum of a balance, whatever an event comes to', async () => {
    const points = await newReward({ name: 'A billion', type: 'POINTS', amount: 1_000_000_000 });
    const { code } = await newMission({ target: 0.0001, repeat: {}, rewardIds: [points.id] });
    const rich = stage.player('rich');
    expect((await rich.emit(code, { amount: 1_000_000_000 })).progressedMissions).toMatchObject([
      { completions: 1_000_000_000, rounds: 1_000_000_000 },
    ]);
    expect(await rich.points()).toMatchObject({ available: 900_000_000_000 });
  });

  test('gives a code for each round; those without stock wait, first come, first served', async () => {
    const productId = await newProduct({ rest: journey.service.rest, adminToken: stage.adminToken }, ['A', 'B']);
    const voucher = await newReward({ name: 'Voucher', type: 'PRODUCTS', amount: 1, productId });
    const { code } = await newMission({ target: 100, repeat: { max: 1_000 }, rewardIds: [voucher.id] });
    const eve = stage.player('eve');
    const { rewards, pendingRewards } = await eve.emit(code, { amount: 399 });
    expect([rewards.length, pendingRewards.length]).toEqual([2, 1]);
    await stage.admin(`/admin/products/${productId}/codes`, { codes: ['C'] });
    expect(await eve.rewards({ status: 'DELIVERED' })).toHaveLength(3);
  });

  test('closes its campaign once, by its first round, and its claim reports the completed round', async () => {
    const bonus = { name: 'Bonus', type: 'POINTS', amount: 5 };
    const { code, campaignId } = await newMission({ target: 10, repeat: {} }, { rewards: [bonus] });
    const gil = stage.player('gil');
    await gil.emit(code, { amount: 10 });
    await gil.emit(code, { amount: 27 });
    expect((await gil.claim(campaignId)).body).toMatchObject({ rewards: [{ amount: 5 }] });
    expect(await gil.claim(campaignId)).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_ALREADY_CLAIMED' } });
    await gil.emit(code, { amount: 10 });
    expect(await gil.points()).toMatchObject({ available: 5 });
  });

  test('counts an account once as completed, and shows the rounds of an event in the journal', async () => {
    const { code, campaignId } = await newMission({ target: 10, repeat: {} });
    const ines = stage.player('ines');
    await ines.emit(code, { amount: 45 });
    const { missions } = await stage.rest('GET', `/admin/campaigns/${campaignId}/funnel`).then(({ body }) => body);
    expect(missions).toMatchObject([{ started: 1, completed: 1 }]);
    const { rows } = (await stage.rest('GET', `/admin/journal?programmaticCode=${code}`)).body;
    expect(rows).toMatchObject([
      { effect: 'CAMPAIGN_COMPLETED', missions: [{ previousProgress: 0, progress: 10, completed: true, rounds: 4 }] },
    ]);
  });

  test('reports each event with completed rounds by one webhook', async () => {
    const { code } = await newMission({ target: 10, repeat: {} });
    const { body } = await stage.rest('PUT', '/webhooks/mission-completed', { endpoint: 'https://example.com/hook' });
    expect(body).toMatchObject({ endpoint: 'https://example.com/hook' });
    const event = { programmaticCode: code, accountId: 'hal', idType: 'EXTERNAL', metadata: { amount: 25 } };
    const { body: missions } = await stage.rest('POST', '/gamification/triggers/simulate', event);
    expect(missions[0].webhooks.map((webhook: { body: string }) => JSON.parse(webhook.body))).toMatchObject([
      { progress: 10, target: 10, completions: 2, rounds: 2 },
    ]);
    await stage.rest('DELETE', '/webhooks/mission-completed');
  });
});

describe('a mission that counts events', () => {
  test('takes five purchases of at least ten, whatever they cost', async () => {
    const { code, missionIds } = await newMission({ target: 2, counts: 'EVENTS', conditions: { minAmount: 10 } });
    const kim = stage.player('kim');
    await kim.emit(code, { amount: 500 });
    await kim.emit(code, { amount: 9.99 });
    expect(await onlyItem(kim, missionIds[0]!)).toMatchObject({ progress: 1, target: 2 });
    expect((await kim.emit(code, { amount: 10 })).progressedMissions).toMatchObject([{ status: 'COMPLETED' }]);
  });
});

describe('a definition', () => {
  const draft = async (mission: object, type = 'AMOUNT') => {
    const code = `ROUNDS_${(codes += 1)}`;
    await stage.admin('/admin/event-definitions', {
      programmaticCode: code,
      type,
      attributes: [{ name: 'price', type: 'NUMBER' }],
    });
    const { id: audienceId } = await stage.admin('/admin/audiences', { name: code, kind: 'EVERYONE' });
    const full = { type: 'MISSION', name: 'M', programmaticCode: code, target: 10, ...mission };
    const rewardIds = [(await newReward({ name: 'One', type: 'POINTS', amount: 1 })).id];
    return stage.rest('POST', '/admin/campaigns', {
      name: 'C',
      audienceIds: [audienceId],
      rewardIds,
      missions: [full],
    });
  };

  test('answers its rounds and what it counts, and leaves both out if it has none', async () => {
    const repeated = await draft({ repeat: { max: 3 }, counts: 'EVENTS' });
    expect(repeated.body.missions).toMatchObject([{ repeat: { max: 3 }, counts: 'EVENTS' }]);
    expect((await draft({ repeat: {} })).body.missions).toMatchObject([{ repeat: {} }]);
    const [plain] = (await draft({})).body.missions;
    for (const field of ['repeat', 'counts']) expect(plain).not.toHaveProperty(field);
  });

  test.each([
    ['rounds of a streak', { type: 'STREAK', repeat: {} }, 'repeat is for missions of type MISSION or CHALLENGE'],
    ['one round', { repeat: { max: 1 } }, 'repeat.max'],
    ['a fraction of events', { target: 1.5, counts: 'EVENTS' }, 'target must be a whole number'],
    [
      'a cap with a fraction of events',
      { counts: 'EVENTS', conditions: { maxPerPeriod: 1.5 } },
      'maxPerPeriod must be above 0, and a whole number',
    ],
  ])('refuses %s', async (_, mission, message) => {
    const { status, body } = await draft(mission);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)]);
  });

  test('refuses counts for SINGLE events, which always count as one', async () => {
    expect(await draft({ counts: 'EVENTS' }, 'SINGLE')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('counts is for AMOUNT events') },
    });
  });

  test('needs an end of its rounds for rewards with stock, at most 1,000', async () => {
    const productId = await newProduct({ rest: journey.service.rest, adminToken: stage.adminToken }, []);
    const { id } = await newReward({ name: 'Cup', type: 'PRODUCTS', amount: 1, productId });
    for (const repeat of [{}, { max: 1_001 }])
      expect(await draft({ repeat, rewardIds: [id] })).toMatchObject({
        status: 400,
        body: {
          message: expect.stringContaining("missions[0].repeat.max must be from 2 to 1000, because the reward 'Cup'"),
        },
      });
    expect(await draft({ repeat: { max: 1_000 }, rewardIds: [id] })).toMatchObject({ status: 201 });
  });

  test('alone is refused by the field names of its own request', async () => {
    const { id: audienceId } = await stage.admin('/admin/audiences', { name: 'Alone', kind: 'EVERYONE' });
    const productId = await newProduct({ rest: journey.service.rest, adminToken: stage.adminToken }, []);
    const { id } = await newReward({ name: 'Jug', type: 'PRODUCTS', amount: 1, productId });
    await stage.rest('POST', '/admin/event-definitions', { programmaticCode: 'ALONE', type: 'AMOUNT' });
    const draft = { type: 'MISSION', name: 'M', programmaticCode: 'ALONE', target: 1, repeat: {}, rewardIds: [id] };
    expect(await stage.rest('POST', '/admin/missions', { audienceId, mission: draft })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('mission.repeat.max must be from 2 to 1000') },
    });
  });

  test("refuses an amount by the event's attributes where several events make a round", async () => {
    const ofEvent = await newReward({
      name: 'By price',
      type: 'POINTS',
      amountExpression: 'event.price * 2',
      amountMax: 100,
    });
    const rewardIds = [ofEvent.id];
    expect(await draft({ repeat: {}, rewardIds })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("the amount of the reward 'By price' depends on event.price") },
    });
    expect(await draft({ repeat: {}, counts: 'EVENTS', rewardIds })).toMatchObject({ status: 201 });
    expect(await draft({ repeat: {}, rewardIds }, 'SINGLE')).toMatchObject({ status: 201 });
    expect(await draft({ rewardIds })).toMatchObject({ status: 201 });
  });
});
