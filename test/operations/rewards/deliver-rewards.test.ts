import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { restock } from '../../../src/rewards/delivery/restock.ts';
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

function rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return database.db.unitOfWork(clientId, (uow) => uow.query<Row>(sql, values));
}

describe('points', () => {
  test('of several events of one account in one batch build on each other', async () => {
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const order = { accountId: accountId!, reward: reward('POINTS', 105_000n, { expiresInDays: 30 }), now };
    const deliveries = await deliver(database.db, clientId, [order, order, order]);
    const entries = await rows(`select source_id, balance_after from point_entry order by created_at`);
    expect(entries).toEqual(
      ['10.5000', '21.0000', '31.5000'].map((balance_after, index) => ({
        source_id: deliveries[index]!.id,
        balance_after,
      })),
    );
    expect(await rows(`select available, lifetime_earned, next_expires_at from point_balance`)).toEqual([
      { available: '31.5000', lifetime_earned: '31.5000', next_expires_at: new Date('2026-03-31T10:00:00Z') },
    ]);
  });

  test('of parallel batches of the same accounts are all there', async () => {
    const accounts = await newAccounts(database.db, clientId, 20);
    const prize = reward('POINTS', 1);
    const batch = accounts.map((accountId) => ({ accountId, reward: prize, now }));
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => deliver(database.db, clientId, index % 2 ? batch : batch.toReversed())),
    );
    const balances = await rows<{ available: string }>(`select available from point_balance`);
    expect(balances).toEqual(accounts.map(() => ({ available: '30.0000' })));
    const wrong = await rows(
      `select 1 from (select balance_after - lag(balance_after, 1, 0) over (partition by account_id order by created_at) as step
                        from point_entry) s where step <> 1`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('fragments', () => {
  test('combine into units as soon as there are enough, several at once', async () => {
    const product = await newProduct(database.db, clientId, 'CODES', 10, 10);
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const pieces = (amount: number) => ({
      accountId: accountId!,
      reward: reward('FRAGMENTS', amount, { product }),
      now,
    });
    const deliveries = await deliver(database.db, clientId, [pieces(9), pieces(25), pieces(5), pieces(1)]);
    expect(deliveries.map(({ status, redemption }) => [status, redemption?.quantity, redemption?.source])).toEqual([
      ['DELIVERED', undefined, undefined],
      ['DELIVERED', 3, 'FRAGMENTS'],
      ['DELIVERED', undefined, undefined],
      ['DELIVERED', 1, 'FRAGMENTS'],
    ]);
    expect(await rows(`select pieces from fragment_balance`)).toEqual([{ pieces: 0 }]);
    expect(await rows(`select stock from product`)).toEqual([{ stock: 6 }]);
  });

  test('that would complete a unit out of stock wait for it, while others are collected', async () => {
    const product = await newProduct(database.db, clientId, 'COUNTED', 0, 10);
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const pieces = (amount: number) => ({
      accountId: accountId!,
      reward: reward('FRAGMENTS', amount, { product }),
      now,
    });
    const deliveries = await deliver(database.db, clientId, [pieces(8), pieces(3), pieces(1), pieces(4)]);
    expect(deliveries.map(({ status }) => status)).toEqual([
      'DELIVERED',
      'PENDING_STOCK',
      'DELIVERED',
      'PENDING_STOCK',
    ]);
    expect(await rows(`select pieces from fragment_balance`)).toEqual([{ pieces: 9 }]);

    const delivered = await restock(database.db, clientId, product, async () => 1, later);
    expect(delivered).toBe(2);
    expect(await rows(`select pieces from fragment_balance`)).toEqual([{ pieces: 6 }]);
    expect(await rows(`select quantity, source from redemption`)).toEqual([{ quantity: 1, source: 'FRAGMENTS' }]);
    expect(await rows(`select stock, waiting from product`)).toEqual([{ stock: 0, waiting: 0 }]);
  });

  test('of parallel batches all count', async () => {
    const product = await newProduct(database.db, clientId, 'CODES', 30, 7);
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const order = { accountId: accountId!, reward: reward('FRAGMENTS', 3, { product }), now };
    await Promise.all(Array.from({ length: 30 }, () => deliver(database.db, clientId, [order])));
    // 90 fragments are 12 units of 7, and 6 fragments.
    expect(await rows(`select pieces from fragment_balance`)).toEqual([{ pieces: 6 }]);
    expect(await rows(`select sum(quantity)::int as units from redemption`)).toEqual([{ units: 12 }]);
    expect(await rows(`select stock from product`)).toEqual([{ stock: 18 }]);
  });
});

test('chests come into the inventory one by one', async () => {
  const [accountId] = await newAccounts(database.db, clientId, 1);
  const chestId = newId();
  const order = { accountId: accountId!, reward: reward('CHEST', 3, { chestId }), now };
  const [delivery] = await deliver(database.db, clientId, [order]);
  expect(await rows(`select account_id, chest_id, earned_reward_id, opened_at from chest`)).toEqual(
    Array.from({ length: 3 }, () => ({
      account_id: accountId,
      chest_id: chestId,
      earned_reward_id: delivery!.id,
      opened_at: null,
    })),
  );
});

describe('the rewards webhook', () => {
  async function configure(): Promise<void> {
    await rows(
      `insert into webhook_configuration (client_id, configuration_id, type, endpoint, method)
       values ($1, $2, 'REWARDS', 'https://example.com/hook', 'POST')`,
      [clientId, newId()],
    );
  }

  async function bodies(): Promise<unknown[]> {
    const messages = await rows<{ body: string }>(`select body from outbox_message order by id`);
    return messages.map(({ body }) => JSON.parse(body));
  }

  test('is one per account and campaign, with one item per delivered reward, and only for what closes a campaign', async () => {
    await configure();
    const product = await newProduct(database.db, clientId, 'CODES', 2);
    const [one, other] = await newAccounts(database.db, clientId, 2);
    const campaignId = newId();
    const assignment = { id: newId(), missionId: newId(), progress: 30_000n, target: 30_000n };
    const points = reward('POINTS', 15_000n);
    const prize = reward('PRODUCTS', 2, { product });
    const mission = { accountId: one!, reward: points, missionId: assignment.missionId, now };
    const closing = { campaignId, now, closing: { assignment } };
    const deliveries = await deliver(database.db, clientId, [
      mission,
      { accountId: one!, reward: points, ...closing },
      { accountId: one!, reward: prize, ...closing },
      { accountId: other!, reward: points, campaignId, now, closing: {} },
    ]);

    const common = { campaignId, assignmentId: assignment.id };
    const sentAssignment = {
      id: assignment.id,
      progress: 3,
      target: 3,
      status: 'COMPLETED',
      missionId: assignment.missionId,
      accountId: one,
    };
    const [first, second] = deliveries[2]!.redemption!.redeemables;
    expect(await bodies()).toEqual([
      [
        {
          accountId: one,
          type: 'POINTS',
          amount: 1.5,
          rewardId: points.id,
          ...common,
          assignment: { ...sentAssignment, rewardId: points.id },
          earnedRewardId: deliveries[1]!.id,
        },
        {
          accountId: one,
          type: 'PRODUCTS',
          amount: 2,
          productId: product.id,
          codes: [first!, second!].map(({ code }) => ({ code, item: { id: product.id, name: 'an item' } })),
          productRedemptions: [
            {
              product: { id: product.id, name: product.name },
              account: { id: one, email: `${one}@example.com` },
              redeemables: [first!, second!].map(({ id, code }) => ({ id, code, itemId: product.id })),
            },
          ],
          rewardId: prize.id,
          ...common,
          assignment: { ...sentAssignment, rewardId: prize.id },
          earnedRewardId: deliveries[2]!.id,
        },
      ],
      [
        {
          accountId: other,
          type: 'POINTS',
          amount: 1.5,
          rewardId: points.id,
          campaignId,
          earnedRewardId: deliveries[3]!.id,
        },
      ],
    ]);
  });

  test('of a reward that waits for stock is sent when it is delivered', async () => {
    await configure();
    const product = await newProduct(database.db, clientId, 'CODES', 0);
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const campaignId = newId();
    const assignment = { id: newId(), missionId: newId(), progress: 10_000n, target: 10_000n };
    const prize = reward('PRODUCTS', 1, { product });
    await deliver(database.db, clientId, [
      { accountId: accountId!, reward: prize, campaignId, now, closing: { assignment } },
      { accountId: accountId!, reward: prize, missionId: newId(), now },
    ]);
    expect(await bodies()).toEqual([]);
    await restock(database.db, clientId, product, (uow) => addCodes(uow, product, 2), later);
    const sent = await bodies();
    expect(sent).toMatchObject([
      [
        {
          accountId,
          rewardId: prize.id,
          campaignId,
          codes: [{ code: 'CODE-1' }],
          assignment: { missionId: assignment.missionId },
        },
      ],
    ]);
  });

  test('says nothing if the delivery is rolled back', async () => {
    await configure();
    const [accountId] = await newAccounts(database.db, clientId, 1);
    const order = { accountId: accountId!, reward: reward('POINTS', 1), campaignId: newId(), now, closing: {} };
    const failing = database.db.unitOfWork(clientId, async (uow) => {
      const { deliverRewards } = await import('../../../src/rewards/delivery/deliver-rewards.ts');
      await deliverRewards(uow, [order]);
      throw new Error('after the delivery');
    });
    await expect(failing).rejects.toThrow('after the delivery');
    expect(await bodies()).toEqual([]);
    expect(await rows(`select 1 from point_entry`)).toEqual([]);
  });
});
