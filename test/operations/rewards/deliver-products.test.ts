import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EarnedReward } from '../../../src/rewards/delivery/earned-reward.ts';
import { restock, resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { addCodes, deliver, differences, newAccounts, newProduct, reward } from './provision.ts';

let database: TestDatabase;
let clientId: string;
const now = new Date('2026-03-01T10:00:00Z');
const later = new Date('2026-03-02T10:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  clientId = await newClient(database.db);
});
afterEach(async () => {
  expect(await differences(database.db, clientId)).toEqual([]);
});
afterAll(() => database.drop());

const codesOf = (delivery: EarnedReward) => delivery.redemption?.redeemables.map(({ code }) => code) ?? [];

type Earned = { id: string; account_id: string; status: string; delivered_at: Date | null; codes: string[] };

function earnedRewards(productId: string): Promise<Earned[]> {
  return database.db.unitOfWork(clientId, (uow) =>
    uow.query<Earned>(
      `select e.id, e.account_id, e.status, e.delivered_at,
              coalesce((select array_agg(code order by c.id) from product_code c where c.redemption_id = e.redemption_id), '{}') as codes
         from earned_reward e where e.product_id = $1 order by e.id`,
      [productId],
    ),
  );
}

function stockOf(productId: string): Promise<{ stock: number; waiting: number; free: number }> {
  return database.db.unitOfWork(clientId, async (uow) => {
    const [row] = await uow.query<{ stock: number; waiting: number; free: number }>(
      `select stock, waiting, (select count(*)::int from product_code c where c.product_id = p.id and redemption_id is null) as free
         from product p where id = $1`,
      [productId],
    );
    return row!;
  });
}

describe('codes', () => {
  test('one hundred completions for sixty codes: sixty delivered with distinct codes, forty pending, all fulfilled in order after a restock', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'CODES', 60);
    const prize = reward('PRODUCTS', 1, { product });
    const accounts = await newAccounts(db, clientId, 100);
    const deliveries = await Promise.all(
      accounts.map(async (accountId) => (await deliver(db, clientId, [{ accountId, reward: prize, now }]))[0]!),
    );

    const delivered = deliveries.filter(({ status }) => status === 'DELIVERED');
    expect(delivered).toHaveLength(60);
    expect(new Set(delivered.flatMap(codesOf)).size).toBe(60);
    expect(deliveries.filter(({ status }) => status === 'PENDING_STOCK')).toHaveLength(40);
    expect(await stockOf(product.id)).toEqual({ stock: 0, waiting: 40, free: 0 });

    const queue = await queueOf(product.id);
    expect(queue).toHaveLength(40);
    const fulfilled = await restock(db, clientId, product, (uow) => addCodes(uow, product, 25), later);
    expect(fulfilled).toBe(25);
    expect(await queueOf(product.id)).toEqual(queue.slice(25));
    expect(await stockOf(product.id)).toEqual({ stock: 0, waiting: 15, free: 0 });

    await restock(db, clientId, product, (uow) => addCodes(uow, product, 20), later);
    const all = await earnedRewards(product.id);
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'DELIVERED'));
    expect(new Set(all.flatMap(({ codes }) => codes)).size).toBe(100);
    expect(await stockOf(product.id)).toEqual({ stock: 5, waiting: 0, free: 5 });
    // The queue received the new codes in its order.
    const codeOf = new Map(all.map(({ id, codes }) => [id, codes[0]]));
    expect(queue.map((id) => codeOf.get(id))).toEqual(Array.from({ length: 40 }, (_, index) => `CODE-${61 + index}`));
  });

  test('several orders of several products in one batch get the oldest codes of their product', async () => {
    const { db } = database;
    const one = await newProduct(db, clientId, 'CODES', 5);
    const other = await newProduct(db, clientId, 'CODES', 5);
    const [accountId] = await newAccounts(db, clientId, 1);
    const deliveries = await deliver(db, clientId, [
      { accountId: accountId!, reward: reward('PRODUCTS', 2, { product: one }), now },
      { accountId: accountId!, reward: reward('PRODUCTS', 4, { product: other }), now },
      { accountId: accountId!, reward: reward('PRODUCTS', 4, { product: one }), now },
      { accountId: accountId!, reward: reward('PRODUCTS', 1, { product: other }), now },
    ]);
    expect(deliveries.map(codesOf)).toEqual([
      ['CODE-1', 'CODE-2'],
      ['CODE-1', 'CODE-2', 'CODE-3', 'CODE-4'],
      [],
      ['CODE-5'],
    ]);
  });

  test('batches that want the same products in opposite orders do not block each other', async () => {
    const { db } = database;
    const products = await Promise.all([
      newProduct(db, clientId, 'CODES', 200),
      newProduct(db, clientId, 'COUNTED', 200),
    ]);
    const accounts = await newAccounts(db, clientId, 40);
    const batches = accounts.map((accountId, index) =>
      deliver(
        db,
        clientId,
        (index % 2 ? products : products.toReversed()).map((product) => ({
          accountId,
          reward: reward('PRODUCTS', 2, { product }),
          now,
        })),
      ),
    );
    const deliveries = (await Promise.all(batches)).flat();
    expect(deliveries.every(({ status }) => status === 'DELIVERED')).toBe(true);
    expect(new Set(deliveries.flatMap(codesOf)).size).toBe(80);
    expect((await stockOf(products[1].id)).stock).toBe(120);
  });
});

describe('a count', () => {
  test('is never undercut by parallel deliveries', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'COUNTED', 30);
    const accounts = await newAccounts(db, clientId, 50);
    const prize = reward('PRODUCTS', 1, { product });
    await Promise.all(accounts.map((accountId) => deliver(db, clientId, [{ accountId, reward: prize, now }])));
    expect(await stockOf(product.id)).toEqual({ stock: 0, waiting: 20, free: 0 });
  });

  test('of an unlimited product does not matter', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'UNLIMITED');
    const [accountId] = await newAccounts(db, clientId, 1);
    const [delivery] = await deliver(db, clientId, [
      { accountId: accountId!, reward: reward('PRODUCTS', 1000, { product }), now },
    ]);
    expect(delivery).toMatchObject({
      status: 'DELIVERED',
      redemption: { quantity: 1000, redeemables: [], source: 'REWARD' },
    });
  });
});

describe('the queue', () => {
  test('is served in rounds until the stock is used up', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const accounts = await newAccounts(db, clientId, 600);
    const prize = reward('PRODUCTS', 1, { product });
    await deliver(
      db,
      clientId,
      accounts.map((accountId) => ({ accountId, reward: prize, now })),
    );
    const delivered = await restock(db, clientId, product, async () => 590, later);
    expect(delivered).toBe(590);
    expect(await stockOf(product.id)).toMatchObject({ stock: 0, waiting: 10 });
  });

  test('that a crashed restock has left is served by housekeeping', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const accounts = await newAccounts(db, clientId, 3);
    const prize = reward('PRODUCTS', 2, { product });
    await deliver(
      db,
      clientId,
      accounts.map((accountId) => ({ accountId, reward: prize, now })),
    );
    // The state after the first round of a restock: units are in stock, and their rewards still wait.
    await db.unitOfWork(clientId, (uow) => uow.query('update product set stock = 5, units_added = 5'));
    const [late] = await newAccounts(db, clientId, 1);
    const [behind] = await deliver(db, clientId, [
      { accountId: late!, reward: reward('PRODUCTS', 1, { product }), now },
    ]);
    expect(behind!.status).toBe('PENDING_STOCK');
    // Two rewards that need two units each, and one behind them that needs the rest.
    expect(await resumeRestocks(db, clientId, later)).toBe(3);
    expect(await stockOf(product.id)).toMatchObject({ stock: 0, waiting: 1 });
    expect(await resumeRestocks(db, clientId, later)).toBe(0);
  });

  test('passes over accounts that were deleted meanwhile', async () => {
    const { db } = database;
    const product = await newProduct(db, clientId, 'CODES', 0);
    const [gone, here] = await newAccounts(db, clientId, 2);
    const prize = reward('PRODUCTS', 1, { product });
    await deliver(
      db,
      clientId,
      [gone!, here!].map((accountId) => ({ accountId, reward: prize, now })),
    );
    await db.unitOfWork(clientId, (uow) => uow.query('update account set deleted_at = now() where id = $1', [gone]));
    await restock(db, clientId, product, (uow) => addCodes(uow, product, 1), later);
    const earned = await earnedRewards(product.id);
    expect(earned).toMatchObject([{ account_id: here, status: 'DELIVERED', delivered_at: later, codes: ['CODE-1'] }]);
    expect(await stockOf(product.id)).toMatchObject({ stock: 0, waiting: 0 });
  });
});

function queueOf(productId: string): Promise<string[]> {
  return database.db.unitOfWork(clientId, async (uow) => {
    const rows = await uow.query<{ id: string }>(
      `select id from earned_reward where product_id = $1 and status = 'PENDING_STOCK' order by queue_position`,
      [productId],
    );
    return rows.map(({ id }) => id);
  });
}
