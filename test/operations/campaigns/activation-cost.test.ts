import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const rewards: Record<string, string> = {};
let cups: string;

beforeAll(async () => {
  service = await startService();
  await ok(service.rest('POST', '/admin/event-definitions', { programmaticCode: 'PURCHASE', type: 'AMOUNT' }));
  cups = (
    await ok(
      service.rest('POST', '/admin/products', {
        name: 'Cup',
        stockMode: 'COUNTED',
        stock: 10,
        fragmentsRequired: 4,
      }),
    )
  ).id;
  const newReward = async (name: string, reward: object) => {
    rewards[name] = (await ok(service.rest('POST', '/admin/rewards', { name, amount: 1, ...reward }))).id;
    return rewards[name];
  };
  await newReward('ten', { type: 'POINTS', amount: 10 });
  await newReward('cup', { type: 'PRODUCTS', productId: cups });
  await newReward('pieces', { type: 'FRAGMENTS', amount: 3, productId: cups });
  const formula = { amountExpression: 'event.amount * 2', amountMax: 70 };
  await newReward('formula', { type: 'POINTS', amount: undefined, ...formula });
  const { id: chestId } = await ok(
    service.rest('POST', '/admin/chests', {
      name: 'Box',
      entries: [
        { rewardId: rewards['ten'], guaranteed: true },
        { rewardId: rewards['cup'], weight: 1 },
        { rewardId: rewards['ten'], weight: 5 },
      ],
    }),
  );
  await newReward('box', { type: 'CHEST', amount: 2, chestId });
  for (const externalId of ['ada', 'bob']) await ok(service.rest('POST', '/accounts', { externalId }));
});
afterAll(() => service.close());

/** The cost of a draft campaign with two accounts, whose own reward is one point. */
async function costOf(missions: readonly object[], campaign: Readonly<Record<string, unknown>> = {}) {
  const { campaignId } = await newGame(service, {
    activate: false,
    rewards: [{ name: 'One', type: 'POINTS', amount: 1 }],
    missions: missions.map((mission) => ({ programmaticCode: 'PURCHASE', target: 10, ...mission })),
    campaign,
  });
  return (await ok(service.rest('GET', `/admin/campaigns/${campaignId}/activation-preview`))).cost;
}

const given = (...names: string[]) => names.map((name) => rewards[name]!);

test.each([
  ['once', {}, 11],
  ['in each period of a routine', { type: 'ROUTINE', occurrences: 3 }, 31],
  ['in each of its rounds', { repeat: { max: 7 } }, 71],
  ['once for a streak', { type: 'STREAK', target: 3 }, 11],
])('a mission is paid %s', async (_, mission, pointsEach) => {
  expect(await costOf([{ ...mission, rewardIds: given('ten') }])).toEqual({
    pointsEach,
    points: 2 * pointsEach,
    products: [],
    unbounded: [],
  });
});

test('an amount by an expression counts with its maximum, or less by the bounds of what it depends on', async () => {
  const rewardIds = given('formula');
  expect(await costOf([{ rewardIds }])).toMatchObject({ pointsEach: 71 });
  expect(await costOf([{ rewardIds, conditions: { maxAmount: 30.9 } }])).toMatchObject({ pointsEach: 1 + 61 });
  expect(await costOf([{ rewardIds, conditions: { maxAmount: 0.4 } }])).toMatchObject({ pointsEach: 1 });
});

test('chests count with everything guaranteed and the best draw of each kind, pieces with those of before', async () => {
  expect(await costOf([{ rewardIds: given('box', 'pieces', 'cup'), repeat: { max: 2 } }])).toEqual({
    // Two chests in each of two rounds, each with ten points for certain and ten by chance.
    pointsEach: 1 + 2 * 2 * 20,
    points: 2 * (1 + 2 * 2 * 20),
    // A cup and two chests in each round. Six pieces make two cups of four pieces with the three of before.
    products: [{ productId: cups, productName: 'Cup', unitsEach: 2 * (1 + 2) + 2, units: 2 * (2 * (1 + 2) + 2) }],
    unbounded: [],
  });
});

test('rounds without an end have no maximum, but for a cap or a cooldown in a window', async () => {
  const repeat = { repeat: {}, name: 'Every ten', rewardIds: given('ten') };
  expect(await costOf([repeat])).toMatchObject({
    pointsEach: 1,
    unbounded: [
      { field: 'missions[0].repeat.max', message: expect.stringContaining("'Every ten' repeats without an end") },
    ],
  });
  const day = { startsAt: '2027-06-01T00:00:00Z', endsAt: '2027-06-02T00:00:00Z' };
  // A day of one zone touches three days of the calendars of all zones.
  const capped = await costOf([{ ...repeat, conditions: { maxPerPeriod: 25 } }], day);
  expect(capped).toMatchObject({ pointsEach: 1 + 10 * Math.floor((3 * 25) / 10), unbounded: [] });
  const cooled = { ...repeat, target: 4, counts: 'EVENTS', conditions: { cooldownMinutes: 60 } };
  expect(await costOf([cooled], day)).toMatchObject({ pointsEach: 1 + 10 * (24 / 4), unbounded: [] });
});

test('a chest that can contain itself has no maximum', async () => {
  const { id: chestId } = await ok(
    service.rest('POST', '/admin/chests', {
      name: 'Nested',
      entries: [{ rewardId: rewards['ten'], guaranteed: true }],
    }),
  );
  const nested = { name: 'Nested', type: 'CHEST', amount: 1, chestId };
  const { id } = await ok(service.rest('POST', '/admin/rewards', nested));
  const entries = [{ rewardId: id, weight: 1 }];
  const change = { name: 'Nested', entries, totalWeight: 2, version: 1 };
  await ok(service.rest('PUT', `/admin/chests/${chestId}`, change));
  expect(await costOf([{ rewardIds: [id] }])).toMatchObject({
    pointsEach: 1,
    unbounded: [{ field: 'missions[0].rewardIds[0]', message: expect.stringContaining('can contain themselves') }],
  });
});

test('is reached: an account that does all it can earns the maximum', async () => {
  const productId = await newProduct(
    service,
    Array.from({ length: 9 }, (_, index) => `CODE-${index}`),
  );
  const { id } = await ok(
    service.rest('POST', '/admin/rewards', { name: 'Code', type: 'PRODUCTS', amount: 1, productId }),
  );
  const { campaignId } = await newGame(service, {
    activate: false,
    rewards: [{ name: 'One', type: 'POINTS', amount: 1 }],
    missions: [
      { programmaticCode: 'PURCHASE', target: 10, repeat: { max: 3 }, rewardIds: [id, rewards['ten']] },
      { programmaticCode: 'PURCHASE', target: 1, rewardIds: given('formula') },
    ],
  });
  const { cost } = await ok(service.rest('GET', `/admin/campaigns/${campaignId}/activation-preview`));
  await ok(service.rest('POST', `/admin/campaigns/${campaignId}/activate`));
  const event = { programmaticCode: 'PURCHASE', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount: 35 } };
  const answer = await ok(service.rest('POST', '/gamification/triggers', event));
  const sum = (type: string) =>
    answer.rewards
      .filter(({ rewardType }: { rewardType: string }) => rewardType === type)
      .reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
  expect([sum('POINTS'), sum('PRODUCTS')]).toEqual([cost.pointsEach, cost.products[0].unitsEach]);
  expect(cost).toMatchObject({ pointsEach: 1 + 30 + 70, products: [{ unitsEach: 3 }] });
});
