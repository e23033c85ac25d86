import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, differences, newAccounts, reward } from './provision.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

async function created(product: Record<string, unknown>) {
  const answer = await service.rest('POST', '/admin/products', { name: 'Coffee', ...product });
  expect(answer.status).toBe(201);
  return answer.body;
}

const now = new Date();

describe('a product', () => {
  test('is created and read', async () => {
    const product = await created({
      description: 'black',
      stockMode: 'COUNTED',
      stock: 5,
      fragmentsRequired: 10,
      pointsCost: 12.5,
    });
    expect(product).toMatchObject({
      name: 'Coffee',
      description: 'black',
      stockMode: 'COUNTED',
      stock: 5,
      fragmentsRequired: 10,
      pointsCost: 12.5,
      items: [],
    });
    expect((await service.rest('GET', `/admin/products/${product.id}`)).body).toEqual(product);
  });

  test('with codes is good for itself, unless its items are named', async () => {
    expect((await created({ stockMode: 'CODES' })).items).toMatchObject([{ name: 'Coffee' }]);
    const named = await created({ stockMode: 'CODES', itemNames: ['Small', 'Large'] });
    expect(named.items.map((item: { name: string }) => item.name)).toEqual(['Small', 'Large']);
  });

  test('without limit has no stock to show', async () => {
    const product = await created({ stockMode: 'UNLIMITED' });
    expect(product).not.toHaveProperty('stock');
    expect(product).not.toHaveProperty('pointsCost');
  });

  test('is listed by name, by page, and by filter', async () => {
    const tenant = await service.newTenant();
    for (const name of ['Zebra', 'Apple', 'Mango']) {
      await service.rest('POST', '/admin/products', { name, stockMode: 'UNLIMITED' }, tenant.adminToken);
    }
    await service.rest('POST', '/admin/products', { name: 'Melon', stockMode: 'COUNTED' }, tenant.adminToken);
    const list = async (query: string) =>
      (await service.rest('GET', `/admin/products/paginated?${query}`, undefined, tenant.adminToken)).body;
    const first = await list('page=1&limit=3');
    expect(first).toMatchObject({ next: true, previous: false, totalPages: 2, totalRows: 4 });
    expect(first.rows.map((row: { name: string }) => row.name)).toEqual(['Apple', 'Mango', 'Melon']);
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'stockMode', value: 'COUNTED' }] }));
    expect((await list(`page=1&limit=3&filters=${filters}`)).rows).toMatchObject([{ name: 'Melon', stock: 0 }]);
  });

  test('of another client is not found', async () => {
    const product = await created({ stockMode: 'CODES' });
    const other = await service.newTenant();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/codes', { codes: ['A'] }],
    ] as const) {
      const answer = await service.rest(method, `/admin/products/${product.id}${path}`, body, other.adminToken);
      expect(answer).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } });
    }
  });

  test.each([
    [{ stockMode: 'CODES', stock: 1 }, '`stock` goes with the stockMode COUNTED only'],
    [{ stockMode: 'UNLIMITED', stock: 1 }, '`stock` goes with the stockMode COUNTED only'],
    [{ stockMode: 'COUNTED', itemNames: ['A'] }, '`itemNames` go with the stockMode CODES only'],
    [{ stockMode: 'COUNTED', pointsCost: 0.00001 }, 'at most 4 decimals'],
    [{ stockMode: 'COUNTED', name: 'a\0b' }, 'NUL'],
    [{}, ''],
  ])('%j is refused', async (fields, message) => {
    const answer = await service.rest('POST', '/admin/products', { name: 'Coffee', ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('adding codes', () => {
  test('twice adds them once', async () => {
    const product = await created({ stockMode: 'CODES' });
    const add = (codes: string[]) => service.rest('POST', `/admin/products/${product.id}/codes`, { codes });
    expect((await add(['A', 'B', 'A'])).body).toMatchObject({ added: 2, delivered: 0, product: { stock: 2 } });
    expect((await add(['B', 'C'])).body).toMatchObject({ added: 1, delivered: 0, product: { stock: 3 } });
  });

  test('at once by several administrators adds each once', async () => {
    const product = await created({ stockMode: 'CODES' });
    const codes = Array.from({ length: 50 }, (_, index) => `C${index}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        service.rest('POST', `/admin/products/${product.id}/codes`, { codes: index % 2 ? codes : codes.toReversed() }),
      ),
    );
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(50);
    expect((await service.rest('GET', `/admin/products/${product.id}`)).body.stock).toBe(50);
  });

  test('serves those who wait, while others earn and wait', async () => {
    const product = await created({ stockMode: 'CODES' });
    const accounts = await newAccounts(service.db, service.clientId, 60);
    const prize = reward('PRODUCTS', 1, {
      product: { ...product, fragmentsRequired: undefined, pointsCost: undefined },
    });
    const earning = accounts.map((accountId) =>
      deliver(service.db, service.clientId, [{ accountId, reward: prize, now }]),
    );
    const adding = Array.from({ length: 6 }, (_, batch) =>
      service.rest('POST', `/admin/products/${product.id}/codes`, {
        codes: Array.from({ length: 10 }, (__, index) => `S${batch}-${index}`),
      }),
    );
    await Promise.all([...earning, ...adding]);
    const rows = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`select 1 from earned_reward where product_id = $1 and status = 'DELIVERED'`, [product.id]),
    );
    expect(rows).toHaveLength(60);
    expect((await service.rest('GET', `/admin/products/${product.id}`)).body.stock).toBe(0);
  });

  test('goes to the item that is named', async () => {
    const product = await created({ stockMode: 'CODES', itemNames: ['Small', 'Large'] });
    const [, large] = product.items;
    await service.rest('POST', `/admin/products/${product.id}/codes`, { codes: ['L1'], itemId: large.id });
    const [accountId] = await newAccounts(service.db, service.clientId, 1);
    const prize = reward('PRODUCTS', 1, {
      product: { ...product, fragmentsRequired: undefined, pointsCost: undefined },
    });
    const [delivery] = await deliver(service.db, service.clientId, [{ accountId: accountId!, reward: prize, now }]);
    expect(delivery!.redemption!.redeemables).toMatchObject([{ code: 'L1', itemId: large.id, itemName: 'Large' }]);
    const answer = await service.rest('POST', `/admin/products/${product.id}/codes`, { codes: ['X'], itemId: newId() });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining('Large') },
    });
  });
});

describe('adding stock', () => {
  test('again adds again', async () => {
    const product = await created({ stockMode: 'COUNTED', stock: 1 });
    const add = () => service.rest('POST', `/admin/products/${product.id}/stock`, { quantity: 2 });
    await add();
    expect((await add()).body).toMatchObject({ delivered: 0, product: { stock: 5 } });
  });

  test('above what a product holds is refused', async () => {
    const product = await created({ stockMode: 'COUNTED' });
    const add = () => service.rest('POST', `/admin/products/${product.id}/stock`, { quantity: 1_000_000_000 });
    expect([(await add()).status, (await add()).status, (await add()).status]).toEqual([200, 200, 400]);
  });

  test.each([
    ['CODES', 'stock', { quantity: 1 }],
    ['UNLIMITED', 'stock', { quantity: 1 }],
    ['COUNTED', 'codes', { codes: ['A'] }],
  ])('to a %s product by %s is refused', async (stockMode, path, body) => {
    const product = await created({ stockMode });
    const answer = await service.rest('POST', `/admin/products/${product.id}/${path}`, body);
    expect(answer).toMatchObject({ status: 409, body: { code: 'STOCK_MODE_MISMATCH' } });
  });
});
