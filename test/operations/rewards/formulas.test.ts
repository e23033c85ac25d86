import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
  const attributes = [{ name: 'quantity', type: 'NUMBER' }];
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'BUY', type: 'AMOUNT', attributes }));
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' }));
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

const formula = (amountExpression: string, amountMax = 1_000) => ({
  name: `Formula ${amountExpression}`.slice(0, 255),
  type: 'POINTS',
  amountExpression,
  amountMax,
});
const newReward = (amountExpression: string, amountMax?: number) =>
  ok(admin('POST', '/admin/rewards', formula(amountExpression, amountMax)));

type Earned = { readonly missionId: string; readonly rewardId: string; readonly amount: number };

let players = 0;
/** The points of a reward that one event of BUY earns; undefined if it earns nothing. */
async function earned(amountExpression: string, metadata: object, attributes?: object, amountMax?: number) {
  const { id } = await newReward(amountExpression, amountMax);
  const { missionIds } = await newGame(service, {
    codes: {},
    adminToken: tenant.adminToken,
    missions: [{ programmaticCode: 'BUY', target: 0.01, rewardIds: [id] }],
  });
  const account = await ok(app('POST', '/accounts', { externalId: `formula-${(players += 1)}`, attributes }));
  const event = { programmaticCode: 'BUY', accountId: account.id, metadata };
  const { body: simulated } = await app('POST', '/gamification/triggers/simulate', event);
  const { body } = await app('POST', '/gamification/triggers', event);
  const paid = body.rewards
    .filter(({ missionId }: Earned) => missionId === missionIds[0])
    .map(({ amount }: Earned) => amount);
  const shown = simulated.find(({ missionId }: Earned) => missionId === missionIds[0]).rewards;
  expect(shown.map(({ amount }: Earned) => amount)).toEqual(paid);
  return paid[0];
}

describe('the amount of a reward by expression', () => {
  test.each([
    ['event.amount * 2', { amount: 12.5 }, undefined, 25],
    ['event.amount * 1.1', { amount: 10 }, undefined, 11],
    ['event.amount * 0.3', { amount: 3.3 }, undefined, undefined],
    ['event.amount * event.quantity', { amount: 1.9999, quantity: 2 }, undefined, 3],
    ['event.amount * event.quantity', { amount: 2 }, undefined, undefined],
    ['event.amount - 10', { amount: 10 }, undefined, undefined],
    ['event.amount / (event.quantity - 1)', { amount: 10, quantity: 1 }, undefined, undefined],
    ['account.tier == "GOLD" ? event.amount * 2 : event.amount', { amount: 7 }, { tier: 'GOLD' }, 14],
    ['has(account.tier) ? 20 : 10', { amount: 1 }, undefined, 10],
    ['event.amount * 1000000', { amount: 999 }, undefined, 1_000],
  ])('is %s of %j with %j: %d', async (expression, metadata, attributes, points) => {
    expect(await earned(expression, metadata, attributes)).toBe(points);
  });

  test('is answered with the most that it pays, as the amount', async () => {
    const created = await newReward('event.amount * 2', 50);
    expect(created).toMatchObject({ amount: 50, amountMax: 50, amountExpression: 'event.amount * 2' });
    expect((await admin('GET', `/admin/rewards/${created.id}`)).body).toEqual(created);
  });

  test('is in the answer, the balance and the earned rewards', async () => {
    const { id } = await newReward('event.amount');
    await newGame(service, {
      codes: {},
      adminToken: tenant.adminToken,
      missions: [{ programmaticCode: 'BUY', target: 1, rewardIds: [id] }],
    });
    const account = await ok(app('POST', '/accounts', { externalId: `formula-${(players += 1)}` }));
    await app('POST', '/gamification/triggers', {
      programmaticCode: 'BUY',
      accountId: account.id,
      metadata: { amount: 41.9 },
    });
    const { body } = await app('GET', `/v1/gamification/missions/my-rewards/${account.id}`);
    expect(body.find(({ rewardId }: Earned) => rewardId === id)).toMatchObject({ amount: 41, status: 'DELIVERED' });
  });
});

describe('a reward with an expression', () => {
  test.each([
    [{ ...formula('event.amount'), amount: 2 }, 'A reward has `amount` or `amountExpression`. Send one of them.'],
    [
      { ...formula('event.amount'), amountMax: undefined },
      'A reward with `amountExpression` needs `amountMax`, the most that it pays.',
    ],
    [
      { ...formula('event.amount'), amountMax: 1.5 },
      '`amountMax` must be a whole number: an expression pays whole points.',
    ],
    [
      { name: 'x', type: 'POINTS', amount: 1, amountMax: 2 },
      '`amountMax` is for a reward with `amountExpression`: leave it out.',
    ],
    [{ name: 'x', type: 'POINTS' }, '`amount` must be above 0.'],
    [
      { name: 'x', type: 'PRODUCTS', amount: 1, amountExpression: '1', productId: crypto.randomUUID() },
      '`amountExpression` goes with the type POINTS only, this reward is PRODUCTS. Leave it out.',
    ],
    [
      formula('event.amont * 2'),
      expect.stringMatching(/^amountExpression, line 1, column 1: There is no event\.amont\./),
    ],
    [formula('event.amount > 2'), expect.stringMatching(/The expression is a BOOLEAN, but must be a NUMBER\.$/)],
  ])('%j is refused', async (body, message) => {
    expect(await admin('POST', '/admin/rewards', body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message },
    });
  });

  test('is given by missions whose events have what it uses, and by nothing else', async () => {
    const { id } = await newReward('event.amount * event.quantity');
    const { audienceId, rewardIds } = await newGame(service, {
      codes: {},
      adminToken: tenant.adminToken,
      missions: [{ programmaticCode: 'VISIT' }],
    });
    const campaign = (changes: object, mission: object = {}) =>
      admin('POST', '/admin/campaigns', {
        name: 'C',
        audienceIds: [audienceId],
        rewardIds,
        missions: [{ type: 'MISSION', name: 'M', programmaticCode: 'VISIT', target: 1, ...mission }],
        ...changes,
      });
    const message = (at: string) => ({ status: 400, body: { message: expect.stringContaining(at) } });
    expect(await campaign({}, { rewardIds: [id] })).toMatchObject(
      message('missions[0].rewardIds[0], line 1, column 1: There is no event.amount'),
    );
    expect(await campaign({}, { programmaticCode: 'BUY', rewardIds: [id] })).toMatchObject({ status: 201 });
    const needsEvent = (at: string) => {
      const text = `${at}: the amount of the reward 'Formula event.amount * event.quantity' is event.amount * event.quantity, which depends on an event or a mission.`;
      return { status: 409, body: { code: 'REWARD_NEEDS_EVENT', message: expect.stringContaining(text) } };
    };
    expect(await campaign({ rewardIds: [...rewardIds, id] })).toMatchObject(needsEvent('rewardIds[1]'));
    const created = await ok(campaign({}));
    const { name, audienceIds, version } = created;
    const missions = [{ type: 'MISSION', name: 'M', programmaticCode: 'VISIT', target: 1 }];
    const changed = { version, campaign: { name, audienceIds, missions, rewardIds: [id] } };
    expect(await admin('PUT', `/admin/campaigns/${created.id}`, changed)).toMatchObject(needsEvent('rewardIds[0]'));
    const chest = { name: 'Chest', entries: [{ rewardId: id, weight: 1 }] };
    expect(await admin('POST', '/admin/chests', chest)).toMatchObject(needsEvent('entries[0].rewardId'));
    const account = await ok(app('POST', '/accounts', {}));
    const grant = { rewardId: id, reason: 'Sorry' };
    expect(await admin('POST', `/admin/accounts/${account.id}/rewards/grant`, grant)).toMatchObject(
      needsEvent('rewardId'),
    );
  });

  test('keeps the attributes that it uses', async () => {
    const { rows } = await ok(admin('GET', '/admin/event-definitions/paginated?page=1&limit=10&search=BUY'));
    const answer = await admin('PUT', `/admin/event-definitions/${rows[0].id}`, {
      version: rows[0].version,
      name: 'Buy',
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'ATTRIBUTE_IN_USE' } });
    expect(answer.body.message).toContain("event.quantity of reward 'Formula event.amount * event.quantity'");
  });
});
