import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { lockAccounts } from '../../../src/accounts/resolving/resolve-accounts.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { expirePoints } from '../../../src/loyalty/expire-points.ts';
import { spendPoints } from '../../../src/loyalty/move-points.ts';
import type { RewardOrder } from '../../../src/rewards/delivery/earned-reward.ts';
import { restock } from '../../../src/rewards/delivery/restock.ts';
import { redeemProducts } from '../../../src/rewards/products/redeeming/redeem-products.ts';
import { newClient, testDatabase, type TestDatabase } from '../../support/database.ts';
import { addCodes, deliver, differences, newAccounts, newProduct, reward, setPrice } from './provision.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const START = new Date('2026-03-01T10:00:00Z').getTime();
const HOUR = 3_600_000;

/** An order: few accounts and kinds, so that commands conflict often. */
const order = fc.record({ account: fc.nat(2), kind: fc.nat(5), amount: fc.integer({ min: 1, max: 9 }) });
const action = fc.record({
  what: fc.constantFrom('deliver', 'deliver', 'deliver', 'restock', 'buy', 'spend', 'expire'),
  hour: fc.nat(100),
  orders: fc.array(order, { minLength: 1, maxLength: 6 }),
});

test('whatever happens at the same time, everything adds up afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const { db } = database;
      const clientId = await newClient(db);
      const accounts = await newAccounts(db, clientId, 3);
      const coupons = await newProduct(db, clientId, 'CODES', 3, 5);
      const mugs = await newProduct(db, clientId, 'COUNTED', 3, 3);
      for (const { id } of [coupons, mugs]) await setPrice(db, clientId, id, 1);
      const rewardOf = (kind: number, amount: number) =>
        [
          reward('POINTS', amount, { expiresInDays: 1 }),
          reward('POINTS', amount),
          reward('PRODUCTS', amount % 3 || 1, { product: kind % 2 ? coupons : mugs }),
          reward('FRAGMENTS', amount, { product: coupons }),
          reward('FRAGMENTS', amount, { product: mugs }),
          reward('CHEST', 1, { chestId: newId() }),
        ][kind]!;

      const run = actions.map(async ({ what, hour, orders }) => {
        const now = new Date(START + hour * HOUR);
        const [{ account, amount, kind } = { account: 0, amount: 1, kind: 0 }] = orders;
        const accountId = accounts[account]!;
        const product = kind % 2 ? coupons : mugs;
        if (what === 'deliver') {
          const batch = orders.map((item): RewardOrder => {
            const given = rewardOf(item.kind, item.amount);
            return { accountId: accounts[item.account]!, reward: given, campaignId: newId(), closing: {}, now };
          });
          await deliver(db, clientId, batch);
        }
        if (what === 'restock') {
          const add = product === mugs ? async () => amount : undefined;
          await restock(db, clientId, product, add ?? ((uow) => addCodes(uow, coupons, amount)), now);
        }
        if (what === 'expire') await expirePoints(db, clientId, now);
        if (what === 'buy') {
          const bought = orders.map((item) => ({
            productId: item.kind % 2 ? coupons.id : mugs.id,
            account: { accountId: accounts[item.account]!, idType: Account_IdType.INTERNAL },
            quantity: 1 + (item.amount % 2),
            operationId: '',
          }));
          const answers = await db.unitOfWork(clientId, (uow) => redeemProducts(uow, bought, { now }));
          for (const answer of answers) if (answer instanceof DomainError) expect(answer.kind).toBe('CONFLICT');
        }
        if (what === 'spend') {
          await db.unitOfWork(clientId, async (uow) => {
            await lockAccounts(uow, [accountId]);
            await spendPoints(uow, [{ accountId, amount: BigInt(amount) * 10_000n, at: now, sourceType: 'TEST' }]);
          });
        }
      });
      const outcomes = await Promise.allSettled(run);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue;
        // A purchase may be refused; all else must succeed.
        if (outcome.reason instanceof DomainError && outcome.reason.kind === 'CONFLICT') continue;
        throw outcome.reason;
      }
      expect(await differences(db, clientId)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
