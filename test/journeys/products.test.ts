import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDifferences } from '../../src/commands/verify.ts';
import { type Journey, startJourney, type Stage } from './stage.ts';

let journey: Journey;
let stage: Stage;
beforeAll(async () => {
  journey = await startJourney('2027-06-01T12:00:00Z');
});
beforeEach(async () => {
  journey.clock.set('2027-06-01T12:00:00Z');
  stage = await journey.stage();
});
afterAll(async () => {
  expect(await findDifferences(journey.service.db)).toEqual([]);
  await journey.service.close();
});

const newProduct = (fields: object) => stage.admin('/admin/products', { name: 'Mug', ...fields });
const addUnits = (productId: string, quantity: number) =>
  stage.admin(`/admin/products/${productId}/stock`, { quantity });
const addCodes = (productId: string, codes: readonly string[]) =>
  stage.admin(`/admin/products/${productId}/codes`, { codes });
const stockOf = async (productId: string) => (await stage.rest('GET', `/admin/products/${productId}`)).body.stock;

/** A campaign whose completion, by one event of the code, earns units of the product. */
async function prize(code: string, productId: string, amount = 1) {
  await stage.game({
    codes: { [code]: 'SINGLE' },
    missions: [{ programmaticCode: code }],
    rewards: [{ name: 'Prize', type: 'PRODUCTS', amount, productId }],
  });
}

/** The player's earned product rewards: their codes, or the number of units; `…` for a waiting one. */
async function heldBy(name: string) {
  const rewards = await stage.player(name).rewards({ rewardType: 'PRODUCTS' });
  return rewards.map((reward: { status: string; amount: number; codes: { code: string }[] }) =>
    reward.status === 'PENDING_STOCK' ? '…' : reward.codes.map(({ code }) => code).join(' ') || reward.amount,
  );
}

const redeem = (productId: string, accountId: string, quantity?: number) =>
  stage.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId, idType: 'EXTERNAL', quantity });

async function givePoints(accountId: string, amount: number) {
  await stage.player(accountId).id();
  await stage.admin(`/admin/accounts/${accountId}/points/adjust`, { idType: 'EXTERNAL', amount, reason: 'A start.' });
}

describe('stock mode', () => {
  test('CODES gives each code once, all of an order or none, and the rest waits', async () => {
    const { id } = await newProduct({ stockMode: 'CODES' });
    await addCodes(id, ['A', 'B', 'C']);
    await prize('TWO', id, 2);
    for (const name of ['ada', 'bob']) await stage.player(name).emit('TWO');
    expect(await heldBy('ada')).toEqual(['A B']);
    expect(await heldBy('bob')).toEqual(['…']);
    expect(await stockOf(id)).toBe(1);
    expect(await addCodes(id, ['C', 'D'])).toMatchObject({ added: 1, delivered: 1, product: { stock: 0 } });
    expect(await heldBy('bob')).toEqual(['C D']);
  });

  test('COUNTED gives units without codes', async () => {
    const { id } = await newProduct({ stockMode: 'COUNTED', stock: 3 });
    await prize('TWO', id, 2);
    for (const name of ['ada', 'bob']) await stage.player(name).emit('TWO');
    expect([await heldBy('ada'), await heldBy('bob'), await stockOf(id)]).toEqual([[2], ['…'], 1]);
    expect(await addUnits(id, 1)).toMatchObject({ delivered: 1, product: { stock: 0 } });
    expect(await heldBy('bob')).toEqual([2]);
  });

  test('UNLIMITED never runs out and has no stock to tell', async () => {
    const product = await newProduct({ stockMode: 'UNLIMITED' });
    expect(product).not.toHaveProperty('stock');
    await prize('MANY', product.id, 1000);
    for (const name of ['ada', 'bob', 'eve']) {
      await stage.player(name).emit('MANY');
      expect(await heldBy(name)).toEqual([1000]);
    }
  });

  test('decides what may be added: codes to CODES, units to COUNTED, to UNLIMITED nothing', async () => {
    const products = { CODES: 'codes', COUNTED: 'stock', UNLIMITED: undefined };
    for (const [stockMode, takes] of Object.entries(products)) {
      const { id } = await newProduct({ stockMode });
      const answers = {
        codes: await stage.rest('POST', `/admin/products/${id}/codes`, { codes: ['A'] }),
        stock: await stage.rest('POST', `/admin/products/${id}/stock`, { quantity: 1 }),
      };
      for (const [what, answer] of Object.entries(answers)) {
        const expected = what === takes ? { status: 200 } : { status: 409, body: { code: 'STOCK_MODE_MISMATCH' } };
        expect(answer, `${what} to ${stockMode}`).toMatchObject(expected);
      }
    }
  });
});

describe('a restock', () => {
  test('serves those whom its units suffice for, first come, first served', async () => {
    const { id } = await newProduct({ stockMode: 'COUNTED', pointsCost: 1 });
    await prize('THREE', id, 3);
    await prize('ONE', id, 1);
    for (const [name, code] of [
      ['ada', 'THREE'],
      ['bob', 'ONE'],
      ['eve', 'THREE'],
      ['kim', 'ONE'],
    ] as const) {
      await stage.player(name).emit(code);
    }
    const held = async () => Promise.all(['ada', 'bob', 'eve', 'kim'].map(heldBy));
    expect(await held()).toEqual([['…'], ['…'], ['…'], ['…']]);
    expect(await addUnits(id, 1), 'ada is before bob, but lacks two').toMatchObject({ delivered: 1 });
    expect(await held()).toEqual([['…'], [1], ['…'], ['…']]);
    expect(await addUnits(id, 5), 'eve lacks one, kim none').toMatchObject({ delivered: 2, product: { stock: 1 } });
    expect(await held()).toEqual([[3], [1], ['…'], [1]]);
    expect(await addUnits(id, 2)).toMatchObject({ delivered: 1, product: { stock: 0 } });
    expect(await held()).toEqual([[3], [1], [3], [1]]);
  });

  test('stamps what it delivers with its own moment, and what it brings beyond the queue is for sale', async () => {
    const { id } = await newProduct({ stockMode: 'COUNTED', pointsCost: 1 });
    await prize('ONE', id);
    await stage.player('ada').emit('ONE');
    await givePoints('bob', 10);
    expect(await redeem(id, 'bob')).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK' } });
    journey.clock.set('2027-06-03T08:00:00Z');
    await addUnits(id, 2);
    expect(await stage.player('ada').rewards()).toMatchObject([
      { status: 'DELIVERED', createdAt: '2027-06-01T12:00:00Z', deliveredAt: '2027-06-03T08:00:00Z' },
    ]);
    expect(await redeem(id, 'bob')).toMatchObject({ status: 200, body: { quantity: 1, pointsSpent: 1 } });
  });

  test('shares its units between those who wait, each code once, also when it comes in pieces at once', async () => {
    const { id } = await newProduct({ stockMode: 'CODES' });
    await prize('RUSH', id);
    const names = Array.from({ length: 30 }, (_, index) => `runner ${index}`);
    await Promise.all(names.map((name) => stage.player(name).emit('RUSH')));
    const codes = Array.from({ length: 25 }, (_, index) => `CODE-${index}`);
    const restocks = [0, 1, 2, 3, 4].map((part) => addCodes(id, codes.slice(part * 5, part * 5 + 5)));
    const delivered = (await Promise.all(restocks)).reduce((sum, answer) => sum + answer.delivered, 0);
    expect(delivered).toBe(25);
    const held = (await Promise.all(names.map(heldBy))).flat();
    expect(held).toHaveLength(30);
    expect(held.filter((code) => code === '…')).toHaveLength(5);
    expect(new Set(held)).toEqual(new Set(['…', ...codes]));
  });
});

describe('a purchase for points', () => {
  test('costs the price of each unit, and takes codes', async () => {
    const { id } = await newProduct({ stockMode: 'CODES', pointsCost: 2.5 });
    await addCodes(id, ['A', 'B', 'C']);
    await givePoints('ada', 6);
    const { body } = await redeem(id, 'ada', 2);
    expect(body).toMatchObject({
      source: 'LOYALTY',
      quantity: 2,
      pointsSpent: 5,
      redeemables: [{ code: 'A' }, { code: 'B' }],
    });
    expect(await redeem(id, 'ada')).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_POINTS' } });
    expect(await stage.player('ada').points()).toMatchObject({ available: 1, spent: 5 });
    expect(await stockOf(id)).toBe(1);
    expect(await stage.player('ada').get('/redemptions/{id}')).toEqual([body]);
  });

  test('gets what does not suffice for the rewards that wait for the same product, and not what does', async () => {
    const { id } = await newProduct({ stockMode: 'COUNTED', stock: 1, pointsCost: 1 });
    await prize('TWO', id, 2);
    await stage.player('ada').emit('TWO');
    await givePoints('bob', 10);
    expect(await redeem(id, 'bob')).toMatchObject({ status: 200 });
    expect(await addUnits(id, 2)).toMatchObject({ delivered: 1, product: { stock: 0 } });
    expect(await heldBy('ada')).toEqual([2]);
    expect(await redeem(id, 'bob')).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK' } });
  });

  test.each([0, -1, 1.5, 1001, '2x'])('of %s units is a 400', async (quantity) => {
    const { id } = await newProduct({ stockMode: 'UNLIMITED', pointsCost: 1 });
    await givePoints('ada', 10_000);
    expect(await redeem(id, 'ada', quantity as number)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});
