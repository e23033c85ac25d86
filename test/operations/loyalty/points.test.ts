import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { adjustPoints, earnPoints } from '../../../src/loyalty/move-points.ts';
import { resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, differences, newAccounts, reward } from '../rewards/provision.ts';

let service: TestService;
let accountId: string;
const start = new Date('2026-03-01T10:00:00Z').getTime();
const DAY = 86_400_000;
let now = start;

beforeAll(async () => {
  service = await startService({ clock: () => new Date(now) });
});
beforeEach(async () => {
  now = start;
  [accountId = ''] = await newAccounts(service.db, service.clientId, 1);
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

function earn(points: number, expiresInDays?: number, account = accountId) {
  const prize = reward('POINTS', points, { expiresInDays });
  return deliver(service.db, service.clientId, [{ accountId: account, reward: prize, now: new Date(now) }]);
}

const points = async () => (await service.rest('GET', `/loyalty/accounts/${accountId}/points`)).body;
const history = async (query = '') =>
  (await service.rest('GET', `/loyalty/accounts/${accountId}/points/history${query}`)).body;

async function product(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Coffee', stockMode: 'COUNTED', stock: 100, pointsCost: 10, ...fields };
  return (await service.rest('POST', '/admin/products', body)).body.id;
}

const redeem = (productId: string, body: Record<string, unknown> = {}) =>
  service.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId, ...body });

describe('the balance', () => {
  test('tells what is there, what is gone, and what goes next', async () => {
    await earn(100, 10);
    await earn(50, 20);
    await earn(7);
    await redeem(await product({ pointsCost: 30.5 }));
    expect(await points()).toEqual({
      accountId,
      available: 126.5,
      pending: 0,
      spent: 30.5,
      expired: 0,
      lifetimeEarned: 157,
      nextExpiration: { amount: 69.5, at: '2026-03-11T10:00:00Z' },
    });
    now = start + 10 * DAY;
    expect(await points()).toMatchObject({
      available: 57,
      expired: 69.5,
      nextExpiration: { amount: 50, at: '2026-03-21T10:00:00Z' },
    });
    now = start + 20 * DAY;
    expect(await points()).toEqual({
      accountId,
      available: 7,
      pending: 0,
      spent: 30.5,
      expired: 119.5,
      lifetimeEarned: 157,
    });
  });

  test('is exact to the millisecond of an expiry, without a sweeper, for many readers at once', async () => {
    await earn(100, 1);
    now = start + DAY - 1;
    expect((await points()).available).toBe(100);
    now = start + DAY;
    const answers = await Promise.all(Array.from({ length: 8 }, points));
    expect(answers.map(({ available }) => available)).toEqual(answers.map(() => 0));
    expect(await history()).toHaveLength(2);
  });

  test('of an account that never had points, or that nobody knows, is zero', async () => {
    const zero = { available: 0, pending: 0, spent: 0, expired: 0, lifetimeEarned: 0 };
    expect(await points()).toEqual({ accountId, ...zero });
    const unknown = await service.rest('GET', '/loyalty/accounts/nobody/points?idType=EXTERNAL');
    expect(unknown).toMatchObject({ status: 200, body: zero });
    const created = await service.rest('GET', '/accounts/nobody?idType=EXTERNAL');
    expect(created.status).not.toBe(200);
    expect(await service.rest('GET', `/loyalty/accounts/${newId()}/points`)).toMatchObject({
      status: 404,
      body: { code: 'ACCOUNT_NOT_FOUND' },
    });
    expect((await service.rest('GET', '/loyalty/accounts/nobody/points')).status).toBe(400);
  });

  test('of another client is not found', async () => {
    const other = await service.newTenant();
    const answer = await service.rest('GET', `/loyalty/accounts/${accountId}/points`, undefined, other.apiKey);
    expect(answer.status).toBe(404);
  });
});

describe('the history', () => {
  test('is newest first, and every line builds on the one below', async () => {
    await earn(100, 1);
    now += DAY;
    await earn(20);
    const { body: spent } = await redeem(await product({ pointsCost: 5 }), { operationId: 'redeem-1' });
    const lines = await history();
    expect(lines).toMatchObject([
      {
        type: 'SPEND',
        amount: -5,
        balanceAfter: 15,
        sourceType: 'REDEMPTION',
        sourceId: spent.id,
        operationId: 'redeem-1',
      },
      { type: 'EARN', amount: 20, balanceAfter: 20, sourceType: 'EARNED_REWARD' },
      { type: 'EXPIRE', amount: -100, balanceAfter: 0, sourceType: 'POINT_LOT' },
      { type: 'EARN', amount: 100, balanceAfter: 100 },
    ]);
    expect(lines[2].createdAt).toBe('2026-03-02T10:00:00Z');
  });

  test('read by `limit` and `before` is whole, also where all lines are of one moment', async () => {
    for (let index = 0; index < 3; index += 1) {
      const order = { accountId, reward: reward('POINTS', 1), now: new Date(now) };
      await deliver(service.db, service.clientId, [order, order, order]);
    }
    const all = await history();
    expect(all.map((line: { balanceAfter: number }) => line.balanceAfter)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const read = [];
    for (let before = ''; ;) {
      const page = await history(`?limit=2${before && `&before=${encodeURIComponent(before)}`}`);
      read.push(...page);
      if (page.length < 2) break;
      before = page.at(-1).createdAt;
    }
    expect(read).toEqual(all);
  });

  test('takes a limit of 1 to 1000', async () => {
    const path = `/loyalty/accounts/${accountId}/points/history`;
    for (const limit of [0, 1001]) expect((await service.rest('GET', `${path}?limit=${limit}`)).status).toBe(400);
    expect((await service.rest('GET', `${path}?limit=1000`)).status).toBe(200);
  });

  test('carries the words of an operator who corrects a balance', async () => {
    await service.db.unitOfWork(service.clientId, async (uow) => {
      await lockAccounts(uow, [accountId]);
      await earnPoints(uow, [{ accountId, amount: 50_000n, at: new Date(now), sourceType: 'TEST' }]);
      const change = { accountId, at: new Date(now), sourceType: 'OPERATOR' };
      await adjustPoints(uow, [{ ...change, amount: -20_000n, reason: 'counted twice' }]);
      await adjustPoints(uow, [{ ...change, amount: 10_000n, reason: 'on the house' }]);
    });
    expect(await history()).toMatchObject([
      { type: 'ADJUST', amount: 1, balanceAfter: 4, reason: 'on the house' },
      { type: 'ADJUST', amount: -2, balanceAfter: 3, reason: 'counted twice' },
      { type: 'EARN', amount: 5, balanceAfter: 5 },
    ]);
    expect(await points()).toMatchObject({ available: 4, spent: 0, lifetimeEarned: 5 });
  });
});

describe('redeeming', () => {
  test('hands out codes and takes their price', async () => {
    const id = await product({ stockMode: 'CODES', stock: undefined });
    await service.rest('POST', `/admin/products/${id}/codes`, { codes: ['A', 'B', 'C'] });
    await earn(25);
    const { status, body } = await redeem(id, { quantity: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account: { id: accountId, email: `${accountId}@example.com` },
      product: { id, name: 'Coffee' },
      source: 'LOYALTY',
      quantity: 2,
      pointsSpent: 20,
      status: 'COMPLETED',
      redeemables: [{ code: 'A' }, { code: 'B' }],
    });
    expect((await points()).available).toBe(5);
    expect((await service.rest('GET', `/redemptions/${accountId}`)).body).toEqual([body]);
    expect((await service.rest('GET', `/admin/products/${id}`)).body.stock).toBe(1);
  });

  test('at once, with points for three of ten, succeeds three times', async () => {
    const id = await product();
    await earn(35);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'INSUFFICIENT_POINTS'));
    expect((await points()).available).toBe(5);
    expect((await service.rest('GET', `/admin/products/${id}`)).body.stock).toBe(97);
  });

  test('by many accounts at once sells what is there and no more', async () => {
    const id = await product({ stock: 12 });
    const accounts = await newAccounts(service.db, service.clientId, 30);
    for (const account of accounts) await earn(10, undefined, account);
    const answers = await Promise.all(accounts.map((account) => redeem(id, { accountId: account })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'OUT_OF_STOCK'));
    const sums = await Promise.all(
      accounts.map(
        async (account) => (await service.rest('GET', `/loyalty/accounts/${account}/points`)).body.available,
      ),
    );
    expect(sums.reduce((total, available) => total + available, 0)).toBe(180);
  });

  test('twice with one operation id buys once; with other content the id is refused', async () => {
    const id = await product();
    await earn(100);
    const first = await redeem(id, { operationId: 'twice' });
    const second = await redeem(id, { operationId: 'twice' });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await points()).available).toBe(90);
    const other = await redeem(id, { operationId: 'twice', quantity: 2 });
    expect(other).toMatchObject({ status: 400, body: { code: 'OPERATION_ID_REUSED' } });
  });

  test('at once with one operation id buys once', async () => {
    const id = await product();
    await earn(100);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(id, { operationId: 'at-once' })));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await points()).available).toBe(90);
  });

  test('that failed may be repeated with the same operation id', async () => {
    const id = await product();
    const poor = await redeem(id, { operationId: 'again' });
    expect(poor).toMatchObject({
      status: 409,
      body: { code: 'INSUFFICIENT_POINTS', message: expect.stringContaining('has 0') },
    });
    await earn(10);
    expect((await redeem(id, { operationId: 'again' })).status).toBe(200);
  });

  test('that is refused for points which have expired enters that they have, and nothing else', async () => {
    await earn(100, 10);
    const id = await product();
    now = start + 10 * DAY;
    expect(await redeem(id)).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_POINTS' } });
    expect(await differences(service.db, service.clientId)).toEqual([]);
    expect(await history()).toMatchObject([{ type: 'EXPIRE', amount: -100 }, { type: 'EARN' }]);
  });

  test('takes what does not suffice for earned rewards that wait, and not what does', async () => {
    const id = await product({ stock: 3 });
    const prize = reward('PRODUCTS', 5, {
      product: { id, name: 'Coffee', stockMode: 'COUNTED', fragmentsRequired: undefined, pointsCost: undefined },
    });
    await deliver(service.db, service.clientId, [{ accountId, reward: prize, now: new Date(now) }]);
    await earn(100);
    expect(await redeem(id)).toMatchObject({ status: 200, body: { pointsSpent: 10 } });
    // The state after the first transaction of a long restock.
    const added = 'update product set stock = stock + 5, units_added = units_added + 5 where id = $1';
    await service.db.unitOfWork(service.clientId, (uow) => uow.query(added, [id]));
    expect(await redeem(id)).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK' } });
    expect((await points()).available).toBe(90);
    expect(await resumeRestocks(service.db, service.clientId, new Date(now))).toBe(1);
  });

  test.each([
    ['a product that nobody knows', () => newId(), {}, 404, 'PRODUCT_NOT_FOUND'],
    ['a product without a price', () => product({ pointsCost: undefined }), {}, 409, 'PRODUCT_NOT_REDEEMABLE'],
    ['for an internal id that nobody knows', product, { accountId: newId() }, 404, 'ACCOUNT_NOT_FOUND'],
    [
      'for an external id that nobody knows',
      product,
      { accountId: 'nobody', idType: 'EXTERNAL' },
      404,
      'ACCOUNT_NOT_FOUND',
    ],
    ['for a malformed id', product, { accountId: 'nobody' }, 400, 'BAD_REQUEST'],
    ['no unit', product, { quantity: 0 }, 400, 'BAD_REQUEST'],
  ])('%s is refused', async (_, productId, body, status, code) => {
    expect(await redeem(await productId(), body)).toMatchObject({ status, body: { code } });
  });
});
