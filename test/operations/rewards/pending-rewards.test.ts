// Operators see the rewards that wait for stock, and deliver or cancel them.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Product } from '../../../src/rewards/products/product.ts';
import { ok, pageQuery, recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { listen } from '../marketplace/announcements.ts';
import { deliver, newAccounts, newProduct, reward } from './provision.ts';

let service: TestService;
let accounts: string[];

beforeAll(async () => {
  service = await startService();
  accounts = await newAccounts(service.db, service.clientId, 4);
});
afterEach(async () => expect(await findDifferences(service.db)).toEqual([]));
afterAll(() => service.close());

const mugs = (units: number) => newProduct(service.db, service.clientId, 'COUNTED', units, 5);

/** The account with this number earns units, or fragments; returns the id of the earned reward. */
async function earn(who: number, product: Product, amount: number, type: 'PRODUCTS' | 'FRAGMENTS' = 'PRODUCTS') {
  const order = { accountId: accounts[who]!, reward: reward(type, amount, { product }), now: new Date() };
  return (await deliver(service.db, service.clientId, [order]))[0]!.id;
}

const pending = (productId: string, query = pageQuery()) =>
  service.rest('GET', `/admin/products/${productId}/pending-rewards/paginated?${query}`);
const settle = (how: 'cancel' | 'deliver', id: string, reason = 'Asked by phone.') =>
  service.rest('POST', `/admin/earned-rewards/${id}/${how}`, { reason });
const restocked = (productId: string, quantity: number) =>
  ok(service.rest('POST', `/admin/products/${productId}/stock`, { quantity }));
const statusesOf = async (who: number) => {
  const rewards = await ok(service.rest('GET', `/v1/gamification/missions/my-rewards/${accounts[who]}`));
  return Object.fromEntries(rewards.map(({ id, status }: { id: string; status: string }) => [id, status]));
};

/** The state after the first transaction of a long restock: units are in stock, and their rewards still wait. */
const halfRestocked = (productId: string, units: number) =>
  service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('update product set stock = stock + $2, units_added = units_added + $2 where id = $1', [
      productId,
      units,
    ]),
  );

describe('the list of what waits for a product', () => {
  test('is empty where nothing waits, and 404 for what is no product', async () => {
    expect((await pending((await mugs(1)).id)).body).toMatchObject({ rows: [], totalRows: 0 });
    expect(await pending(newId())).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } });
    const other = await service.newTenant();
    const path = `/admin/products/${(await mugs(1)).id}/pending-rewards/paginated?${pageQuery()}`;
    expect((await service.rest('GET', path, undefined, other.adminToken)).status).toBe(404);
  });

  test('shows since when each waits, what it needs, and what is missing, first come first', async () => {
    const product = await mugs(2);
    const [large, pieces, small] = [
      await earn(0, product, 6),
      await earn(1, product, 17, 'FRAGMENTS'),
      await earn(2, product, 3),
    ];
    const { body } = await pending(product.id);
    expect(body.rows).toMatchObject([
      { id: large, accountId: accounts[0], rewardType: 'PRODUCTS', amount: 6, unitsNeeded: 6, shortfall: 4 },
      { id: pieces, rewardType: 'FRAGMENTS', amount: 17, unitsNeeded: 3, shortfall: 1, campaignId: null },
      { id: small, unitsNeeded: 3, shortfall: 1 },
    ]);
    const age = Date.now() - Date.parse(body.rows[0].createdAt);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(60_000);
    const second = await pending(product.id, pageQuery({}, 2, 2));
    expect(second.body).toMatchObject({ rows: [{ id: small }], previous: true, next: false, totalRows: 3 });
    const found = await pending(product.id, pageQuery({ accountId: accounts[1] }));
    expect(found.body.rows).toMatchObject([{ id: pieces }]);
    await restocked(product.id, 1);
    expect((await pending(product.id)).body.rows).toMatchObject([{ id: large, shortfall: 6 }, { id: small }]);
  });
});

describe('a waiting reward that is cancelled', () => {
  test('disappears from my-rewards, is announced nowhere, and stands in the audit log with its reason', async () => {
    const listener = await listen(service);
    const product = await mugs(0);
    const id = await earn(0, product, 2);
    expect(await settle('cancel', id, 'Given by hand.')).toMatchObject({ status: 200, body: { id } });
    expect(await statusesOf(0)).not.toHaveProperty(id);
    expect(await recorded(service, id)).toMatchObject([
      { operation: 'RewardAdminService.CancelPendingReward', note: 'Given by hand.', before: { id }, after: null },
    ]);
    const messages = await service.db.unitOfWork(service.clientId, (uow) => uow.query('select 1 from outbox_message'));
    expect(messages).toEqual([]);
    expect(await settle('cancel', id)).toMatchObject({ status: 404, body: { code: 'EARNED_REWARD_NOT_FOUND' } });
    await restocked(product.id, 2);
    expect(await ok(service.rest('GET', `/admin/products/${product.id}`))).toMatchObject({ free: 2, waiting: 0 });
    await listener.receiver.close();
  });

  test('needs a reason', async () => {
    const id = await earn(0, await mugs(0), 2);
    expect(await settle('cancel', id, '')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await statusesOf(0)).toMatchObject({ [id]: 'PENDING_STOCK' });
  });

  test('has a restock that stopped midway go on', async () => {
    const product = await mugs(0);
    const [large, small] = [await earn(0, product, 6), await earn(1, product, 2)];
    await halfRestocked(product.id, 3);
    await ok(settle('cancel', large));
    expect(await statusesOf(1)).toMatchObject({ [small]: 'DELIVERED' });
  });
});

describe('a waiting reward that is delivered out of turn', () => {
  test('is refused without enough free units, with how many are missing, and keeps waiting', async () => {
    const product = await mugs(5);
    const id = await earn(0, product, 6);
    const answer = await settle('deliver', id);
    expect(answer).toMatchObject({ status: 409, body: { code: 'UNITS_NOT_FREE' } });
    expect(answer.body.message).toContain('5 are free');
    expect(answer.body.message).toContain('needs 6');
    expect(await statusesOf(0)).toMatchObject({ [id]: 'PENDING_STOCK' });
    expect(await recorded(service, id)).toEqual([]);
  });

  test('comes before those who came first, who get the rest', async () => {
    const product = await mugs(0);
    const ids = [
      await earn(0, product, 2),
      await earn(1, product, 3),
      await earn(2, product, 4),
      await earn(3, product, 1),
    ];
    await halfRestocked(product.id, 6);
    const answer = await settle('deliver', ids[2]!, 'A birthday.');
    expect(answer).toMatchObject({ status: 200, body: { id: ids[2], status: 'DELIVERED', amount: 4 } });
    expect(answer.body.deliveredAt).toEqual(expect.any(String));
    expect(await recorded(service, ids[2]!)).toMatchObject([
      {
        operation: 'RewardAdminService.DeliverPendingReward',
        note: 'A birthday.',
        before: { status: 'PENDING_STOCK' },
        after: { status: 'DELIVERED' },
      },
    ]);
    expect(await statusesOf(0)).toMatchObject({ [ids[0]!]: 'DELIVERED' });
    expect((await pending(product.id)).body.rows).toMatchObject([{ id: ids[1] }, { id: ids[3] }]);
    expect(await settle('deliver', ids[2]!)).toMatchObject({
      status: 409,
      body: { code: 'EARNED_REWARD_NOT_PENDING' },
    });
  });

  test('is announced as by a restock, once', async () => {
    const product = await mugs(0);
    const campaignId = newId();
    const order = { reward: reward('PRODUCTS', 4, { product }), now: new Date(), campaignId, closing: {} };
    await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: 'http://127.0.0.1:1/nobody', method: 'POST' }));
    const [closing] = await deliver(service.db, service.clientId, [{ ...order, accountId: accounts[0]! }]);
    // Enough units to deliver it twice.
    await halfRestocked(product.id, 8);
    const answers = await Promise.all([1, 2, 3].map(() => settle('deliver', closing!.id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await ok(service.rest('GET', `/admin/products/${product.id}`))).toMatchObject({ free: 4, waiting: 0 });
    const log = async () => {
      const { rows } = await ok(service.rest('GET', `/admin/webhooks/deliveries/paginated?${pageQuery()}`));
      return rows.length as number;
    };
    await expect.poll(log, { timeout: 15_000 }).toBe(1);
  });

  test('is 404 for what there is not, and for an account that was deleted', async () => {
    expect(await settle('deliver', newId())).toMatchObject({ status: 404, body: { code: 'EARNED_REWARD_NOT_FOUND' } });
    const id = await earn(0, await mugs(0), 2);
    const other = await service.newTenant();
    const path = `/admin/earned-rewards/${id}/deliver`;
    expect(await service.rest('POST', path, { reason: 'Mine.' }, other.adminToken)).toMatchObject({ status: 404 });
    expect(await settle('deliver', id, '')).toMatchObject({ status: 400 });
    // The deletion as an older release did it: the reward stayed in the queue.
    const [gone] = await newAccounts(service.db, service.clientId, 1);
    const product = await mugs(0);
    const order = { accountId: gone!, reward: reward('PRODUCTS', 4, { product }), now: new Date() };
    const [left] = await deliver(service.db, service.clientId, [order]);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update account set deleted_at = now() where id = $1', [gone]),
    );
    await halfRestocked(product.id, 4);
    expect(await settle('deliver', left!.id)).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
    await ok(settle('cancel', left!.id));
    expect(await ok(service.rest('GET', `/admin/products/${product.id}`))).toMatchObject({ free: 4, waiting: 0 });
  });
});

describe('an account that is deleted', () => {
  test('waits for nothing any more', async () => {
    const product = await mugs(1);
    const [gone] = await newAccounts(service.db, service.clientId, 1);
    const order = { accountId: gone!, reward: reward('PRODUCTS', 4, { product }), now: new Date() };
    await deliver(service.db, service.clientId, [order, order]);
    const kept = await earn(1, product, 2);
    await ok(service.rest('DELETE', `/accounts/${gone}`));
    expect((await pending(product.id)).body.rows).toMatchObject([{ id: kept }]);
    expect(await ok(service.rest('GET', `/admin/products/${product.id}`))).toMatchObject({ waiting: 1, free: 1 });
  });
});
