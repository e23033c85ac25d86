// The queue for stock: which rewards wait, and the order of their delivery: docs/decisions/0010.
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import type { Database } from '../../../src/persistence/database.ts';
import type { EarnedReward } from '../../../src/rewards/delivery/earned-reward.ts';
import { restock, resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import type { Product } from '../../../src/rewards/products/product.ts';
import { redeemProducts } from '../../../src/rewards/products/redeeming/redeem-products.ts';
import { allocate } from '../../../src/rewards/products/stock/stock.ts';
import { lockStocks } from '../../../src/rewards/products/stock/stock.queries.ts';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { addCodes, deliver, differences, newAccounts, newProduct, reward, setPrice } from './provision.ts';

let database: TestDatabase;
let db: Database;
let clientId: string;
let accounts: string[];
const now = new Date('2026-03-01T10:00:00Z');
const later = new Date('2026-03-02T10:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
beforeEach(async () => {
  clientId = await newClient(db);
  accounts = await newAccounts(db, clientId, 8);
});
afterEach(async () => expect(await differences(db, clientId)).toEqual([]));
afterAll(() => database.drop());

/** The account with this number earns units, or fragments. */
async function earn(who: number, product: Product, amount: number, type: 'PRODUCTS' | 'FRAGMENTS' = 'PRODUCTS') {
  const order = { accountId: accounts[who]!, reward: reward(type, amount, { product }), now };
  return (await deliver(db, clientId, [order]))[0]!;
}

const earnPieces = (who: number, product: Product, amount: number) => earn(who, product, amount, 'FRAGMENTS');
const add = (product: Product, units: number) => restock(db, clientId, product, async () => units, later);

/** The account buys units for points; returns the answer. */
async function buy(who: number, product: Product, quantity: number): Promise<unknown> {
  const accountId = accounts[who]!;
  await setPrice(db, clientId, product.id, 1);
  await deliver(db, clientId, [{ accountId, reward: reward('POINTS', quantity), now }]);
  const order = { productId: product.id, account: { accountId, idType: Account_IdType.INTERNAL }, quantity };
  const [answer] = await db.unitOfWork(clientId, (uow) =>
    redeemProducts(uow, [{ ...order, operationId: '' }], { now }),
  );
  return answer;
}

/** Whether a publication could get units; the check does not allocate them. */
async function canAllocate(product: Product, units: number): Promise<boolean> {
  return db.unitOfWork(clientId, async (uow) => {
    const stock = (await lockStocks(uow, [product])).get(product.id)!;
    try {
      allocate(stock, units, 'quantity');
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNITS_NOT_FREE' });
      return false;
    }
  });
}

/** Whether a statement waits for a lock. */
const waitsForLock = () =>
  db.systemUnitOfWork(async (uow) => {
    const rows = await uow.query(
      `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
    );
    return rows.length > 0;
  });

/** The waiting rewards: ids and needs, in their order. */
const queue = (product: Product) =>
  db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string; units_needed: number }>(
      `select id, units_needed from earned_reward where product_id = $1 and status = 'PENDING_STOCK' order by queue_position`,
      [product.id],
    ),
  );
const waiting = async (product: Product) => (await queue(product)).map(({ id }) => id);
const needs = async (product: Product) => (await queue(product)).map(({ units_needed: units }) => units);
const idsOf = (deliveries: readonly EarnedReward[]) => deliveries.map(({ id }) => id);

describe('a reward of six that waits for a product with five', () => {
  test('makes no smaller reward wait, and nobody hear that the product is sold out', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 5);
    const large = await earn(0, product, 6);
    expect(large.status).toBe('PENDING_STOCK');
    expect((await earn(1, product, 1)).status).toBe('DELIVERED');
    expect(await buy(2, product, 2)).toMatchObject({ redemption: { quantity: 2 } });
    expect(await canAllocate(product, 2)).toBe(true);
    expect(await canAllocate(product, 3)).toBe(false);
    expect(await buy(2, product, 3)).toMatchObject({ message: expect.stringContaining('has 2 units left') });
    expect(await waiting(product)).toEqual([large.id]);
  });

  test('is delivered by a restock of one', async () => {
    const product = await newProduct(db, clientId, 'CODES', 5);
    const large = await earn(0, product, 6);
    expect(await restock(db, clientId, product, (uow) => addCodes(uow, product, 1), later)).toBe(1);
    expect(await waiting(product)).not.toContain(large.id);
  });

  test('does not keep a batch of events from what is free', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 5);
    const order = (who: number, amount: number) => ({
      accountId: accounts[who]!,
      reward: reward('PRODUCTS', amount, { product }),
      now,
    });
    const deliveries = await deliver(db, clientId, [order(0, 6), order(1, 2), order(2, 4), order(3, 3)]);
    expect(deliveries.map(({ status }) => status)).toEqual([
      'PENDING_STOCK',
      'DELIVERED',
      'PENDING_STOCK',
      'DELIVERED',
    ]);
    expect(await needs(product)).toEqual([6, 4]);
  });
});

describe('a restock', () => {
  test('serves everybody whom the units suffice for, in their order, past those whom they do not', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const [six, , four, , one] = [
      await earn(0, product, 6),
      await earn(1, product, 2),
      await earn(2, product, 4),
      await earn(3, product, 3),
      await earn(4, product, 1),
    ];
    // Two, and three of the rest; none is left for the reward of one unit.
    expect(await add(product, 5)).toBe(2);
    expect(await waiting(product)).toEqual(idsOf([six, four, one]));
    expect(await add(product, 1)).toBe(1);
    expect(await waiting(product)).toEqual(idsOf([six, four]));
    expect(await add(product, 10)).toBe(2);
    expect(await waiting(product)).toEqual([]);
  });

  test('serves past a thousand large ones in front', { timeout: 60_000 }, async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const order = (amount: number) => ({
      accountId: accounts[0]!,
      reward: reward('PRODUCTS', amount, { product }),
      now,
    });
    await deliver(
      db,
      clientId,
      Array.from({ length: 1_000 }, (_, index) => order(50 + (index % 3))),
    );
    await deliver(db, clientId, [order(2), order(3), order(1)]);
    expect(await add(product, 3)).toBe(2);
    expect((await needs(product)).filter((units) => units < 50)).toEqual([3]);
  });

  test('that stopped midway lets nobody overtake whom its units suffice for, and is finished by housekeeping', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const [, two] = [await earn(0, product, 7), await earn(1, product, 2), await earn(2, product, 5)];
    // The state after the first transaction of a long restock.
    await db.unitOfWork(clientId, (uow) => uow.query('update product set stock = 6, units_added = 6'));
    const behind = await earn(3, product, 1);
    expect(behind.status).toBe('PENDING_STOCK');
    expect(await buy(4, product, 1)).toMatchObject({ code: 'OUT_OF_STOCK' });
    expect(await canAllocate(product, 1)).toBe(false);
    expect(await resumeRestocks(db, clientId, later)).toBe(2);
    expect(await waiting(product)).not.toContain(two.id);
    expect(await needs(product)).toEqual([7, 5]);
    expect(await canAllocate(product, 3)).toBe(true);
    expect(await resumeRestocks(db, clientId, later)).toBe(0);
  });

  test('whose process dies between two transactions leaves the order and the units as they were', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const order = (amount: number, index: number) => ({
      accountId: accounts[index % accounts.length]!,
      reward: reward('PRODUCTS', amount, { product }),
      now,
    });
    await deliver(
      db,
      clientId,
      Array.from({ length: 1_200 }, (_, index) => order(1 + (index % 2), index)),
    );
    let transactions = 0;
    const dying: Database = {
      ...db,
      unitOfWork: (client, work) => {
        transactions += 1;
        if (transactions > 1) throw new Error('The process is gone.');
        return db.unitOfWork(client, work);
      },
    };
    const dead = restock(dying, clientId, product, async () => 1_000, later);
    await expect(dead).rejects.toThrow('The process is gone.');
    expect(await waiting(product)).toHaveLength(700);
    expect((await earn(0, product, 1)).status).toBe('PENDING_STOCK');
    expect(await resumeRestocks(db, clientId, later)).toBeGreaterThan(0);
    expect((await earn(0, product, 1)).status).toBe('PENDING_STOCK');
  });

  test('for which more units come while it waits for accounts passes nobody', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    const [large, small] = [await earn(0, product, 4), await earn(1, product, 1)];
    const stock = (units: number) =>
      db.unitOfWork(clientId, (uow) => uow.query('update product set stock = $1::int, units_added = $1::int', [units]));
    await stock(1);
    const isHeld = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = db.unitOfWork(clientId, async (uow) => {
      await lockAccounts(uow, [accounts[1]!]);
      isHeld.resolve();
      await release.promise;
    });
    await isHeld.promise;
    // It has read that one unit is in stock, and for which reward.
    const going = resumeRestocks(db, clientId, later);
    await expect.poll(waitsForLock, { timeout: 10_000, interval: 10 }).toBe(true);
    await stock(4);
    release.resolve();
    await holder;
    expect(await going).toBe(1);
    expect(await waiting(product)).toEqual([small.id]);
    expect(large.status).toBe('PENDING_STOCK');
  });

  test('ends although somebody has noted by hand that a reward needs less than it does', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    await earn(0, product, 4);
    const note = (units: number) =>
      db.unitOfWork(clientId, (uow) => uow.query('update earned_reward set units_needed = $1', [units]));
    await note(1);
    expect(await add(product, 2)).toBe(0);
    expect(await resumeRestocks(db, clientId, later)).toBe(0);
    await note(4);
  });

  test('at the same moment as others loses and doubles nothing, and leaves nobody waiting whom the units suffice for', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0);
    await Promise.all(accounts.map((_, who) => earn(who, product, 1 + (who % 4))));
    await Promise.all([1, 3, 2, 4, 1].map((units) => add(product, units)));
    const stock = await db.unitOfWork(clientId, async (uow) => (await lockStocks(uow, [product])).get(product.id)!);
    expect(stock.smallestNeed ?? Infinity).toBeGreaterThan(stock.units);
  });
});

describe('pieces that wait', () => {
  test('need a unit more once the account holds enough, and then keep it from nobody', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0, 5);
    await earnPieces(0, product, 3);
    await earnPieces(0, product, 6);
    expect(await needs(product)).toEqual([1]);
    await earnPieces(0, product, 1);
    expect(await needs(product)).toEqual([2]);
    expect(await add(product, 1)).toBe(0);
    expect((await earn(1, product, 1)).status).toBe('DELIVERED');
    expect(await add(product, 2)).toBe(1);
  });

  test('need a unit less once others of the account combined', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 1, 5);
    await earnPieces(0, product, 1);
    await earnPieces(0, product, 9);
    expect(await needs(product)).toEqual([2]);
    expect((await earnPieces(0, product, 4)).status).toBe('DELIVERED');
    expect(await needs(product)).toEqual([1]);
    expect(await add(product, 1)).toBe(1);
  });

  test('that need none any more are delivered at once', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0, 5);
    await earnPieces(0, product, 4);
    await earnPieces(0, product, 1);
    await earnPieces(0, product, 1);
    expect(await needs(product)).toEqual([1, 1]);
    expect(await add(product, 1)).toBe(2);
    const pieces = await db.unitOfWork(clientId, (uow) => uow.query('select pieces from fragment_balance'));
    expect(pieces).toEqual([{ pieces: 1 }]);
  });

  test('of a crashed restock that need none are found by housekeeping, also where no unit is left', async () => {
    const product = await newProduct(db, clientId, 'COUNTED', 0, 5);
    await earnPieces(0, product, 4);
    await earnPieces(0, product, 1);
    await db.unitOfWork(clientId, (uow) =>
      Promise.all([
        uow.query('update fragment_balance set pieces = 3'),
        uow.query(`update earned_reward set amount = 3 where status = 'DELIVERED'`),
        uow.query(`update earned_reward set units_needed = 0 where status = 'PENDING_STOCK'`),
      ]),
    );
    expect(await resumeRestocks(db, clientId, later)).toBe(1);
    expect(await waiting(product)).toEqual([]);
  });
});
