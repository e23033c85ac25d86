import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok, pageQuery } from '../../support/administration.ts';
import { type Game, newGame, newProduct } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let game: Game;
let productId: string;
let claimer: string;
let completer: string;
let beginner: string;
let other: Tenant;

const get = (path: string, query = pageQuery(), token?: string) =>
  service.rest('GET', `${path}/paginated?${query}`, undefined, token);
const accounts = (query = '', token?: string) =>
  get(`/admin/campaigns/${game.campaignId}/accounts`, `${pageQuery()}&${query}`, token);
const idsOf = async (query = '') =>
  (await ok(accounts(query))).rows.map(({ account }: { account: { id: string } }) => account.id);

beforeAll(async () => {
  service = await sharedService();
  other = await service.newTenant();
  productId = await newProduct(service, ['CODE-1']);
  game = await newGame(service, {
    campaign: { claimPolicy: 'EXPLICIT' },
    rewards: [{ name: 'A coupon', type: 'PRODUCTS', amount: 1, productId }],
    missions: [
      { name: 'Log in', target: 2 },
      { name: 'Every day', type: 'ROUTINE', programmaticCode: 'PURCHASE', target: 1, occurrences: 1 },
    ],
  });
  const emit = (accountId: string, programmaticCode: string, metadata = {}) =>
    ok(service.rest('POST', '/gamification/triggers', { programmaticCode, accountId, metadata }));
  const made = [];
  for (const name of ['Claimer', 'Completer', 'Beginner', 'Nobody'])
    made.push((await ok(service.rest('POST', '/accounts', { name, externalId: name.toLowerCase() }))).id);
  [claimer = '', completer = '', beginner = ''] = made;
  for (const account of [claimer, completer]) {
    await emit(account, 'LOGIN');
    await emit(account, 'LOGIN');
    await emit(account, 'PURCHASE', { amount: 1 });
    // The first account gets the only coupon; the second waits for stock.
    await ok(service.rest('POST', `/gamification/campaigns/${game.campaignId}/claim`, { accountId: account }));
  }
  await emit(beginner, 'LOGIN');
});
afterAll(() => service.close());

describe('The accounts behind a funnel', () => {
  test('are as many as each of its numbers says, each once, also of a mission with periods', async () => {
    const funnel = await ok(service.rest('GET', `/admin/campaigns/${game.campaignId}/funnel`));
    for (const { missionId, started, completed } of funnel.missions) {
      expect(await idsOf(`missionId=${missionId}&step=STARTED`)).toHaveLength(started);
      expect(await idsOf(`missionId=${missionId}&step=COMPLETED`)).toHaveLength(completed);
    }
    expect(await idsOf('step=COMPLETED')).toHaveLength(funnel.completed);
    expect(await idsOf('step=CLOSED')).toHaveLength(funnel.claimed);
    expect(await idsOf(`missionId=${game.missionIds[0]}&step=STARTED`)).toEqual([claimer, completer, beginner]);
    expect(await idsOf(`missionId=${game.missionIds[1]}&step=STARTED`)).toEqual([claimer, completer]);
  });

  test('tell since when, come in pages, and are found by id', async () => {
    const query = `missionId=${game.missionIds[0]}&step=STARTED`;
    const { rows } = await ok(accounts(query));
    expect(rows[0]).toMatchObject({
      account: { id: claimer, name: 'Claimer', externalId: 'claimer' },
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(rows[2]).not.toHaveProperty('completedAt');
    expect(await idsOf(`${query}&search=${beginner}`)).toEqual([beginner]);
    expect(await idsOf(`${query}&orderBy=createdAt%20desc`)).toEqual([beginner, completer, claimer]);
    const second = await ok(get(`/admin/campaigns/${game.campaignId}/accounts`, `${pageQuery({}, 2, 2)}&${query}`));
    expect(second).toMatchObject({ rows: [{ account: { id: beginner } }], previous: true, next: false, totalRows: 3 });
  });

  test('are refused for a step that the campaign does not have, and are nobody else’s', async () => {
    const message = async (query: string) => (await accounts(query)).body.message;
    expect(await message('step=STARTED')).toContain("'missionId' is required");
    expect(await message(`step=CLOSED&missionId=${game.missionIds[0]}`)).toContain(
      "'missionId' does not go with the step CLOSED",
    );
    expect(await message(`missionId=${game.campaignId}`)).toContain('names no mission of this campaign');
    expect(await accounts('step=COMPLETED', other.adminToken)).toMatchObject({
      status: 404,
      body: { code: 'CAMPAIGN_NOT_FOUND' },
    });
  });
});

test('a series counts an account on the day that it began, completed and closed, and has every day', async () => {
  const series = (query = '', token?: string) =>
    service.rest('GET', `/admin/campaigns/${game.campaignId}/series${query}`, undefined, token);
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `update assignment set started_at = started_at - interval '2 days' where client_id = $1 and account_id = $2`,
      [uow.clientId, beginner],
    ),
  );
  const { rows: days } = await ok(series('?days=4'));
  expect(days.map(({ started, completed, closed }: Record<string, number>) => [started, completed, closed])).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
    [2, 2, 2],
  ]);
  expect(days.at(-1).date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect((await ok(series())).rows).toHaveLength(30);
  expect((await series('?days=93')).status).toBe(400);
  expect((await series('', other.adminToken)).body.code).toBe('CAMPAIGN_NOT_FOUND');
});

test('a reward leads to who got it and who waits for it, latest first, without codes', async () => {
  const path = `/admin/rewards/${game.rewardIds[0]}/earned-rewards`;
  const { rows, totalRows } = await ok(get(path));
  expect(totalRows).toBe(2);
  expect(rows).toMatchObject([
    { accountId: completer, status: 'PENDING_STOCK', campaignId: game.campaignId },
    { accountId: claimer, status: 'DELIVERED', deliveredAt: expect.any(String), productId },
  ]);
  expect(JSON.stringify(rows)).not.toContain('CODE-1');
  expect((await ok(get(path, pageQuery({ status: 'PENDING_STOCK' })))).rows).toMatchObject([{ accountId: completer }]);
  expect((await ok(get(path, pageQuery({ accountId: claimer })))).totalRows).toBe(1);
  expect((await get(path, pageQuery(), other.adminToken)).body.code).toBe('REWARD_NOT_FOUND');
});

test('a product leads to where its units went, the codes masked, those taken back among them', async () => {
  const path = `/admin/products/${productId}/redemptions`;
  const { rows } = await ok(get(path));
  expect(rows).toMatchObject([
    {
      account: { id: claimer },
      source: 'REWARD',
      quantity: 1,
      status: 'COMPLETED',
      redeemables: [{ itemId: expect.any(String) }],
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain('CODE-1');
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(`update redemption set status = 'CANCELLED' where client_id = $1 and product_id = $2`, [
      uow.clientId,
      productId,
    ]),
  );
  expect((await ok(get(path, pageQuery({ status: 'CANCELLED', source: 'REWARD' })))).totalRows).toBe(1);
  expect((await ok(get(path, pageQuery({ status: 'COMPLETED' })))).totalRows).toBe(0);
  expect((await get(path, pageQuery(), other.adminToken)).body.code).toBe('PRODUCT_NOT_FOUND');
});
