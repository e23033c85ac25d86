import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, newAccounts, newProduct, reward } from '../rewards/provision.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('redemptions are listed latest first, each with its source and codes', async () => {
  const { db, clientId } = service;
  const [accountId = ''] = await newAccounts(db, clientId, 1);
  const coupon = await newProduct(db, clientId, 'CODES', 3, 4);
  await deliver(db, clientId, [
    { accountId, reward: reward('PRODUCTS', 2, { product: coupon }), now: new Date('2026-03-01T10:00:00Z') },
  ]);
  await deliver(db, clientId, [
    { accountId, reward: reward('FRAGMENTS', 4, { product: coupon }), now: new Date('2026-03-02T10:00:00Z') },
  ]);
  const { status, body } = await service.rest('GET', `/redemptions/${accountId}`);
  expect(status).toBe(200);
  const common = {
    id: expect.any(String),
    account: { id: accountId, email: `${accountId}@example.com` },
    product: { id: coupon.id, name: coupon.name },
    pointsSpent: 0,
    status: 'COMPLETED',
  };
  const code = (name: string) => ({ id: expect.any(String), code: name, itemId: coupon.id });
  expect(body).toEqual([
    { ...common, source: 'FRAGMENTS', quantity: 1, redeemables: [code('CODE-3')], createdAt: '2026-03-02T10:00:00Z' },
    {
      ...common,
      source: 'REWARD',
      quantity: 2,
      redeemables: [code('CODE-1'), code('CODE-2')],
      createdAt: '2026-03-01T10:00:00Z',
    },
  ]);
});

test('an account that nobody knows has none, or is not found, by the kind of its id', async () => {
  expect(await service.rest('GET', '/redemptions/nobody?idType=EXTERNAL')).toMatchObject({ status: 200, body: [] });
  expect(await service.rest('GET', `/redemptions/${newId()}`)).toMatchObject({ status: 404 });
  expect(await service.rest('GET', '/redemptions/nobody')).toMatchObject({ status: 400 });
});

test('nobody sees the redemptions of another client', async () => {
  const [accountId = ''] = await newAccounts(service.db, service.clientId, 1);
  const other = await service.newTenant();
  expect((await service.rest('GET', `/redemptions/${accountId}`, undefined, other.apiKey)).status).toBe(404);
});
