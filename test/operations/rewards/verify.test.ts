import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { deliver, differences, newAccounts, newProduct, reward } from './provision.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test.each([
  [`update point_balance set available = available + 1`, ['point_balance.available']],
  [`update point_balance set lifetime_earned = 0`, ['point_balance.lifetime_earned']],
  [`update point_balance set next_expires_at = null`, ['point_balance.next_expires_at']],
  [`update point_lot set remaining = 0`, ['point_lot.remaining']],
  [`delete from point_lot`, ['point_lot.remaining']],
  [
    `delete from point_balance`,
    ['point_balance.available', 'point_balance.lifetime_earned', 'point_balance.next_expires_at'],
  ],
  [`update product set waiting = waiting + 1`, ['product.waiting']],
  [`delete from earned_reward where status = 'PENDING_STOCK'`, ['product.waiting']],
  [`update earned_reward set units_needed = 2 where status = 'PENDING_STOCK'`, ['earned_reward.units_needed']],
  [`update earned_reward set units_needed = null where status = 'PENDING_STOCK'`, ['earned_reward.units_needed']],
  [`update earned_reward set queue_position = null where status = 'PENDING_STOCK'`, ['earned_reward.queue_position']],
  [`update product set stock = stock + 1`, ['product.stock', 'product.stock (free codes)']],
  [`delete from redemption`, ['product.stock', 'redemption.quantity (codes)']],
  [
    `update product_code set redemption_id = null where id = (select max(id::text)::uuid from product_code where redemption_id is not null)`,
    ['product.stock (free codes)', 'redemption.quantity (codes)'],
  ],
  [`update fragment_balance set pieces = pieces + 1`, ['fragment_balance.pieces']],
  [`delete from fragment_balance`, ['fragment_balance.pieces']],
])('after "%s" the difference is found', async (tampering, subjects) => {
  const { db } = database;
  const clientId = await newClient(db);
  const [accountId = ''] = await newAccounts(db, clientId, 1);
  const product = await newProduct(db, clientId, 'CODES', 4, 10);
  const now = new Date();
  await deliver(db, clientId, [
    { accountId, reward: reward('POINTS', 5, { expiresInDays: 3 }), now },
    { accountId, reward: reward('PRODUCTS', 2, { product }), now },
    { accountId, reward: reward('FRAGMENTS', 3, { product }), now },
    { accountId, reward: reward('PRODUCTS', 3, { product }), now },
  ]);
  expect(await differences(db, clientId)).toEqual([]);
  await db.unitOfWork(clientId, (uow) => uow.query(tampering));
  const found = await differences(db, clientId);
  expect(found.map(({ subject }) => subject).toSorted((one, other) => (one < other ? -1 : 1))).toEqual(subjects);
});

/** A reward of three waits for two units; fragments of another wait. */
async function waitingClient(): Promise<string> {
  const clientId = await newClient(database.db);
  const [accountId = ''] = await newAccounts(database.db, clientId, 1);
  const product = await newProduct(database.db, clientId, 'COUNTED', 2, 5);
  const now = new Date();
  await deliver(database.db, clientId, [
    { accountId, reward: reward('FRAGMENTS', 4, { product }), now },
    { accountId, reward: reward('PRODUCTS', 3, { product }), now },
    { accountId, reward: reward('FRAGMENTS', 11, { product }), now },
  ]);
  expect(await differences(database.db, clientId)).toEqual([]);
  return clientId;
}

const subjectsAfter = async (clientId: string, ...tampering: readonly string[]) => {
  for (const sql of tampering) await database.db.unitOfWork(clientId, (uow) => uow.query(sql));
  return (await differences(database.db, clientId)).map(({ subject }) => subject);
};

test('pieces that an account holds more are found, also by what its waiting pieces need', async () => {
  const subjects = await subjectsAfter(await waitingClient(), 'update fragment_balance set pieces = 9');
  expect(subjects).toEqual(['earned_reward.units_needed', 'fragment_balance.pieces']);
});

test('a reward that still waits an hour after units came that suffice for it is found, and until then none', async () => {
  const clientId = await waitingClient();
  const added = 'update product set stock = stock + 1, units_added = units_added + 1';
  expect(await subjectsAfter(clientId, added)).toEqual([]);
  const old = `update product set updated_at = now() - interval '2 hours'`;
  expect(await subjectsAfter(clientId, old)).toEqual(['product.waiting (units suffice)']);
});
