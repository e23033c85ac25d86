import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Game, newGame, newProduct } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { type Condition, encoded, errorBody, filters, startContractService } from './support/contract-service.ts';

let service: TestService;
let game: Game;
let productId: string;

/** Half of a campaign with two missions, and the whole of another: every list has an entry. */
beforeAll(async () => {
  service = await startContractService();
  game = await newGame(service, {
    missions: [
      { name: 'Log in', description: 'Come by.', target: 1 },
      {
        name: 'Spend',
        type: 'CHALLENGE',
        programmaticCode: 'PURCHASE',
        target: 50,
        endsAt: new Date(Date.now() + 86_400_000).toISOString(),
      },
    ],
  });
  productId = await newProduct(service, ['READ-1']);
  await newGame(service, {
    codes: { VISIT: 'SINGLE' },
    missions: [{ name: 'Visit', programmaticCode: 'VISIT' }],
    rewards: [
      { name: 'Coupons', type: 'PRODUCTS', amount: 1, productId },
      { name: 'More coupons', type: 'PRODUCTS', amount: 5, productId },
      { name: 'Points', type: 'POINTS', amount: 7.5 },
    ],
  });
  for (const [programmaticCode, metadata] of [
    ['LOGIN', {}],
    ['PURCHASE', { amount: 12.5 }],
    ['VISIT', {}],
  ] as const) {
    await service.rest('POST', '/gamification/triggers', {
      programmaticCode,
      accountId: 'ada',
      idType: 'EXTERNAL',
      metadata,
    });
  }
});
afterAll(() => service.close());

const FEED = '/v1/feed/account/ada?idType=EXTERNAL';
const MISSIONS = '/v1/gamification/missions';
const MY_REWARDS = `${MISSIONS}/my-rewards/ada?idType=EXTERNAL`;
const get = (path: string) => service.rest('GET', path);
const names = (answer: { body: Array<{ name: string }> }) => answer.body.map(({ name }) => name);

describe('GET /v1/feed/account/{accountId}', () => {
  test('gives the active items, whole, as a bare array', async () => {
    const answer = await get(FEED);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject([
      {
        id: expect.any(String),
        missionId: game.missionIds[1],
        campaignId: game.campaignId,
        type: 'CHALLENGE',
        status: 'ACTIVE',
        name: 'Spend',
        progress: 12.5,
        target: 50,
        claimable: false,
        rewards: [],
      },
    ]);
  });

  test('takes no page and no limit', async () => {
    expect(await get(`${FEED}&page=1&limit=1`)).toMatchObject({ status: 400 });
  });

  test('filters by status, type and campaignId', async () => {
    const found = async (...conditions: Condition[]) => names(await get(`${FEED}&filters=${filters(...conditions)}`));
    expect(await found(['status', ['ACTIVE', 'COMPLETED']])).toEqual(['Log in', 'Spend', 'Visit']);
    expect(await found(['status', 'COMPLETED'])).toEqual(['Log in', 'Visit']);
    expect(await found(['status', 'EXPIRED'])).toEqual([]);
    expect(await found(['type', 'CHALLENGE'])).toEqual(['Spend']);
    expect(await found(['type', ['STREAK', 'ROUTINE', 'MISSION']])).toEqual([]);
    expect(await found(['status', ['ACTIVE', 'COMPLETED']], ['campaignId', game.campaignId])).toEqual([
      'Log in',
      'Spend',
    ]);
    expect(await found(['campaignId', null])).toEqual([]);
  });

  test('matchAll false joins conditions by OR', async () => {
    const both = [
      { field: 'status', value: 'COMPLETED' },
      { field: 'type', value: 'CHALLENGE' },
    ];
    expect(names(await get(`${FEED}&filters=${encoded({ filters: both })}`))).toEqual([]);
    expect(names(await get(`${FEED}&filters=${encoded({ filters: both, matchAll: false })}`))).toHaveLength(3);
  });
});

test('the feed has items of every type', async () => {
  const other = await service.newTenant();
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  await newGame(service, {
    adminToken: other.adminToken,
    missions: [
      { type: 'MISSION' },
      { type: 'CHALLENGE', endsAt: inADay },
      { type: 'STREAK', target: 7, period: 'DAY', gracePeriods: 2 },
      { type: 'ROUTINE', target: 2, period: 'WEEK', occurrences: 4 },
    ],
  });
  const feed = await service.rest('GET', FEED, undefined, other.apiKey);
  expect(feed.body).toMatchObject([
    { type: 'MISSION', periodKey: '' },
    { type: 'CHALLENGE', expiresAt: inADay },
    { type: 'STREAK', streak: { current: 0, longest: 0, freezesLeft: 2 } },
    { type: 'ROUTINE', periodKey: expect.stringMatching(/^\d{4}-W\d{2}$/), expiresAt: expect.any(String) },
  ]);
});

describe('progress and completed', () => {
  test('GET /v1/gamification/missions/progress/{accountId} gives what is started and active', async () => {
    const { body } = await get(`${MISSIONS}/progress/ada?idType=EXTERNAL`);
    expect(body).toMatchObject([{ name: 'Spend', progress: 12.5, status: 'ACTIVE', startedAt: expect.any(String) }]);
  });

  test('GET /v1/gamification/missions/completed/{accountId} gives what is completed, latest first', async () => {
    const answer = await get(`${MISSIONS}/completed/ada?idType=EXTERNAL`);
    expect(names(answer)).toEqual(['Visit', 'Log in']);
    expect(answer.body[0]).toMatchObject({ status: 'COMPLETED', progress: 1, completedAt: expect.any(String) });
  });
});

describe('GET /v1/gamification/missions/my-rewards/{accountId}', () => {
  test('gives every delivery, whole, as a bare array, with codes where there are some', async () => {
    const { status, body } = await get(MY_REWARDS);
    expect(status).toBe(200);
    expect(body).toHaveLength(3);
    expect(body).toContainEqual(
      expect.objectContaining({
        rewardType: 'PRODUCTS',
        status: 'DELIVERED',
        productId,
        codes: [expect.objectContaining({ code: 'READ-1' })],
      }),
    );
    expect(body).toContainEqual(
      expect.objectContaining({ rewardType: 'PRODUCTS', status: 'PENDING_STOCK', codes: [] }),
    );
    expect(body).toContainEqual(expect.objectContaining({ rewardType: 'POINTS', amount: 7.5, status: 'DELIVERED' }));
  });

  test('takes no page and no limit', async () => {
    expect(await get(`${MY_REWARDS}&page=1&limit=1`)).toMatchObject({ status: 400 });
  });

  test('filters by campaignId, rewardType and status', async () => {
    const found = async (...conditions: Condition[]) =>
      (await get(`${MY_REWARDS}&filters=${filters(...conditions)}`)).body.length;
    expect(await found(['rewardType', 'PRODUCTS'])).toBe(2);
    expect(await found(['rewardType', ['POINTS', 'CHEST', 'FRAGMENTS']])).toBe(1);
    expect(await found(['status', 'PENDING_STOCK'])).toBe(1);
    expect(await found(['rewardType', 'PRODUCTS'], ['status', 'DELIVERED'])).toBe(1);
    expect(await found(['campaignId', game.campaignId])).toBe(0);
    expect(await found(['campaignId', null])).toBe(0);
  });
});

describe.each([
  ['the feed', FEED, 'status, type, campaignId', 'ACTIVE, COMPLETED, EXPIRED'],
  ['the earned rewards', MY_REWARDS, 'campaignId, rewardType, status', 'DELIVERED, PENDING_STOCK'],
])('filters of %s', (_list, path, fields, words) => {
  const refused = (message?: RegExp) => ({ status: 400, body: errorBody(400, 'INTERNAL_SERVER_ERROR', message) });

  test('compare exactly: a part of a word, or another case, is no word', async () => {
    const message = new RegExp(words);
    expect(await get(`${path}&filters=${filters(['status', words.slice(0, 4)])}`)).toMatchObject(refused(message));
    expect(await get(`${path}&filters=${filters(['status', words.split(',')[0]!.toLowerCase()])}`)).toMatchObject(
      refused(message),
    );
  });

  test('at fault are a 400 with the code INTERNAL_SERVER_ERROR, and the message lists what is allowed', async () => {
    expect(await get(`${path}&filters=${filters(['name', 'x'])}`)).toMatchObject(refused(new RegExp(fields)));
    expect(await get(`${path}&filters=${filters(['campaignId', 'no-id'])}`)).toMatchObject(refused(/UUID/));
    const noArrays = ['{"filters":null}', '{"filters":{}}', '{"filters":"status"}'];
    for (const text of ['{', 'null', '[]', '7', ...noArrays, '{"colour":"red"}']) {
      expect(await get(`${path}&filters=${encodeURIComponent(text)}`), text).toMatchObject(refused());
    }
  });

  test('do not know includeDeleted', async () => {
    const all = await get(path);
    const sent = await get(`${path}&filters=${encoded({ filters: [], includeDeleted: true })}`);
    expect(sent).toMatchObject({ status: 200, body: all.body });
  });
});
