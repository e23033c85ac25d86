import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;
let buyers = 0;

beforeAll(async () => {
  service = await startContractService();
  await newGame(service, { rewards: [{ name: '25 points', type: 'POINTS', amount: 25, expiresInDays: 30 }] });
});
afterAll(() => service.close());

/** An account with 25 points. */
async function newBuyer(): Promise<string> {
  buyers += 1;
  const { body } = await service.rest('POST', '/gamification/triggers', {
    programmaticCode: 'LOGIN',
    accountId: `buyer-${buyers}`,
    idType: 'EXTERNAL',
  });
  return body.rewards[0].accountId;
}

async function newCoffee(more: object = {}): Promise<string> {
  const product = { name: 'Coffee', stockMode: 'CODES', pointsCost: 10, ...more };
  const { body } = await service.rest('POST', '/admin/products', product);
  if (product.stockMode === 'CODES') {
    await service.rest('POST', `/admin/products/${body.id}/codes`, { codes: ['A', 'B', 'C'] });
  }
  return body.id;
}

const redeem = (productId: string, accountId: string, more: object = {}) =>
  service.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId, ...more });
const points = async (id: string) => (await service.rest('GET', `/loyalty/accounts/${id}/points`)).body;

describe('GET /loyalty/accounts/{id}/points', () => {
  test('gives what is available, pending, spent, expired and earned, and what expires next', async () => {
    const id = await newBuyer();
    await redeem(await newCoffee(), id);
    expect(await points(id)).toEqual({
      accountId: id,
      available: 15,
      pending: 0,
      spent: 10,
      expired: 0,
      lifetimeEarned: 25,
      nextExpiration: { amount: 15, at: expect.any(String) },
    });
  });

  test('takes idType, is zero for an unknown external id, and a 404 for an unknown internal one', async () => {
    await newBuyer();
    const own = await service.rest('GET', `/loyalty/accounts/buyer-${buyers}/points?idType=EXTERNAL`);
    expect(own.body).toMatchObject({ available: 25 });
    const unknown = await service.rest('GET', '/loyalty/accounts/stranger/points?idType=EXTERNAL');
    expect(unknown).toMatchObject({ status: 200, body: { available: 0, pending: 0, spent: 0, lifetimeEarned: 0 } });
    const missing = await service.rest('GET', `/loyalty/accounts/${randomUUID()}/points`);
    expect(missing.body).toEqual(errorBody(404, 'ACCOUNT_NOT_FOUND'));
  });
});

describe('GET /loyalty/accounts/{id}/points/history', () => {
  test('is a bare array, newest first, each line with the balance after it', async () => {
    const id = await newBuyer();
    await redeem(await newCoffee(), id, { operationId: 'coffee-1' });
    const { status, body } = await service.rest('GET', `/loyalty/accounts/${id}/points/history`);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { type: 'SPEND', amount: -10, balanceAfter: 15, operationId: 'coffee-1' },
      { type: 'EARN', amount: 25, balanceAfter: 25 },
    ]);
  });

  test('takes limit and before', async () => {
    const id = await newBuyer();
    await redeem(await newCoffee(), id);
    const path = `/loyalty/accounts/${id}/points/history`;
    const [latest] = (await service.rest('GET', `${path}?limit=1`)).body;
    expect(latest).toMatchObject({ type: 'SPEND' });
    const older = await service.rest('GET', `${path}?before=${latest.createdAt}`);
    expect(older.body).toMatchObject([{ type: 'EARN' }]);
    for (const query of ['limit=0', 'limit=1001', 'limit=1e3', 'before=yesterday']) {
      expect(await service.rest('GET', `${path}?${query}`)).toMatchObject({ body: errorBody(400, 'BAD_REQUEST') });
    }
  });
});

describe('POST /loyalty/products/{id}/redeem', () => {
  test('takes the price and hands out codes', async () => {
    const [id, productId] = [await newBuyer(), await newCoffee()];
    const answer = await redeem(productId, id, { quantity: 2 });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        account: { id },
        product: { id: productId, name: 'Coffee' },
        source: 'LOYALTY',
        quantity: 2,
        pointsSpent: 20,
        status: 'COMPLETED',
        redeemables: [{ code: 'A' }, { code: 'B' }],
      },
    });
    expect(await points(id)).toMatchObject({ available: 5 });
    expect((await service.rest('GET', `/redemptions/${id}`)).body).toEqual([answer.body]);
  });

  test.each([
    ['0', 0],
    ['negative', -1],
    ['fractional', 1.5],
    ['text', 'two'],
    ['above 1000', 1001],
  ])('of a quantity that is %s', async (_what, quantity) => {
    const answer = await redeem(await newCoffee(), await newBuyer(), { quantity });
    expect(answer).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /quantity/) });
  });

  test('beyond the points or the stock is a 409 and takes nothing', async () => {
    const id = await newBuyer();
    const poor = await redeem(await newCoffee({ pointsCost: 25.0001 }), id);
    expect(poor).toMatchObject({ status: 409, body: errorBody(409, 'INSUFFICIENT_POINTS') });
    const scarce = await redeem(await newCoffee({ pointsCost: 0.5 }), id, { quantity: 4 });
    expect(scarce).toMatchObject({ status: 409, body: errorBody(409, 'OUT_OF_STOCK') });
    expect(await points(id)).toMatchObject({ available: 25, spent: 0 });
  });

  test('with the same operationId buys once', async () => {
    const [id, productId] = [await newBuyer(), await newCoffee()];
    const first = await redeem(productId, id, { operationId: 'once' });
    expect(await redeem(productId, id, { operationId: 'once' })).toMatchObject({ status: 200, body: first.body });
    expect(await points(id)).toMatchObject({ available: 15 });
  });

  test('of what is not sold for points, or unknown, is refused', async () => {
    const id = await newBuyer();
    const priceless = await newCoffee({ pointsCost: undefined });
    expect(await redeem(priceless, id)).toMatchObject({ body: errorBody(409, 'PRODUCT_NOT_REDEEMABLE') });
    expect(await redeem(randomUUID(), id)).toMatchObject({ body: errorBody(404, 'PRODUCT_NOT_FOUND') });
    expect(await redeem('coffee', id)).toMatchObject({ body: errorBody(400, 'BAD_REQUEST') });
    const stranger = await redeem(priceless, 'stranger', { idType: 'EXTERNAL' });
    expect(stranger).toMatchObject({ body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
  });
});

describe('GET /redemptions/{accountId}', () => {
  test('gives every redemption, whole, latest first, whatever it came from', async () => {
    const id = await newBuyer();
    const productId = await newCoffee();
    await redeem(productId, id);
    await newGame(service, {
      codes: { GIFT: 'SINGLE' },
      missions: [{ programmaticCode: 'GIFT' }],
      rewards: [{ name: 'A gift', type: 'PRODUCTS', amount: 1, productId }],
    });
    await service.rest('POST', '/gamification/triggers', { programmaticCode: 'GIFT', accountId: id });
    const { body } = await service.rest('GET', `/redemptions/${id}`);
    expect(body).toMatchObject([
      { source: 'REWARD', pointsSpent: 0, redeemables: [{ code: 'B' }] },
      { source: 'LOYALTY', pointsSpent: 10, redeemables: [{ code: 'A' }] },
    ]);
  });

  test('is empty for an unknown external id, and a 404 for an unknown internal one', async () => {
    expect((await service.rest('GET', '/redemptions/stranger?idType=EXTERNAL')).body).toEqual([]);
    const missing = await service.rest('GET', `/redemptions/${randomUUID()}`);
    expect(missing.body).toEqual(errorBody(404, 'ACCOUNT_NOT_FOUND'));
  });
});
