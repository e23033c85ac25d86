import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import type { Product } from '../../../src/rewards/products/product.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, newAccounts, newProduct, reward } from './provision.ts';

let service: TestService;
let accountId: string;
let coupon: Product;
const campaignId = newId();
const missionId = newId();
const assignmentId = newId();
const points = reward('POINTS', 15_000n);

beforeAll(async () => {
  service = await startService();
  const { db, clientId } = service;
  [accountId = ''] = await newAccounts(db, clientId, 1);
  coupon = await newProduct(db, clientId, 'CODES', 1);
  const prize = reward('PRODUCTS', 1, { product: coupon });
  const at = (day: number) => new Date(`2026-03-0${day}T10:00:00Z`);
  await deliver(db, clientId, [{ accountId, reward: points, missionId, assignmentId, now: at(1) }]);
  await deliver(db, clientId, [{ accountId, reward: prize, campaignId, closing: {}, now: at(2) }]);
  await deliver(db, clientId, [{ accountId, reward: prize, campaignId, closing: {}, now: at(3) }]);
});
afterAll(() => service.close());

function myRewards(filters?: unknown) {
  const text = typeof filters === 'string' ? filters : JSON.stringify(filters);
  const query = filters === undefined ? '' : `?filters=${encodeURIComponent(text)}`;
  return service.rest('GET', `/v1/gamification/missions/my-rewards/${accountId}${query}`);
}

const daysOf = (body: { createdAt: string }[]) => body.map(({ createdAt }) => Number(createdAt.slice(8, 10)));

describe('earned rewards', () => {
  test('are listed latest first, with codes where there are any, and null where nothing gave them', async () => {
    const { status, body } = await myRewards();
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { rewardType: 'PRODUCTS', status: 'PENDING_STOCK', campaignId, missionId: null, productId: coupon.id, codes: [] },
      {
        rewardType: 'PRODUCTS',
        status: 'DELIVERED',
        codes: [{ code: 'CODE-1', item: { id: coupon.id, name: 'an item' } }],
        deliveredAt: '2026-03-02T10:00:00Z',
      },
      { rewardType: 'POINTS', rewardId: points.id, amount: 1.5, campaignId: null, missionId, assignmentId },
    ]);
    expect(body[0]).not.toHaveProperty('deliveredAt');
  });

  test.each([
    ['status', 'PENDING_STOCK', [3]],
    ['status', ['DELIVERED', 'PENDING_STOCK'], [3, 2, 1]],
    ['rewardType', 'POINTS', [1]],
    ['campaignId', campaignId, [3, 2]],
    ['campaignId', null, [1]],
  ])('are filtered by %s %j', async (field, value, days) => {
    expect(daysOf((await myRewards({ filters: [{ field, value }] })).body)).toEqual(days);
  });

  test('meet all conditions, or any where the filter says so', async () => {
    const filters = [
      { field: 'rewardType', value: 'POINTS' },
      { field: 'status', value: 'PENDING_STOCK' },
    ];
    expect(daysOf((await myRewards({ filters })).body)).toEqual([]);
    expect(daysOf((await myRewards({ filters, matchAll: false })).body)).toEqual([3, 1]);
  });

  test.each([
    [{ filters: [{ field: 'amount', value: 1 }] }, 'campaignId, rewardType, status'],
    [{ filters: [{ field: 'status', value: 'LOST' }] }, 'DELIVERED, PENDING_STOCK'],
    [{ filters: {} }, ''],
    ['{', ''],
  ])('are not listed for the invalid filter %j, which is the contract’s special case', async (filters, message) => {
    const answer = await myRewards(filters);
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, code: 'INTERNAL_SERVER_ERROR' } });
    expect(answer.body.message).toContain(message);
  });
});
