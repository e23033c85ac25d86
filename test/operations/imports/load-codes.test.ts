import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { load, refusals } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function newProduct(fields: object = {}): Promise<{ id: string; items: Array<{ id: string; name: string }> }> {
  const body = { name: 'Voucher', stockMode: 'CODES', pointsCost: 1, ...fields };
  return (await service.rest('POST', '/admin/products', body)).body;
}

async function stockOf(id: string): Promise<number> {
  return (await service.rest('GET', `/admin/products/${id}`)).body.stock;
}

test('a file adds the codes that a product does not have yet; twice it changes nothing', async () => {
  const { id: productId } = await newProduct();
  await service.rest('POST', `/admin/products/${productId}/codes`, { codes: ['B'] });
  const file = 'code\nA\nB\nC\nA\n';
  const { id, ...report } = await load(service, file, { type: 'PRODUCT_CODES', productId });
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 2, rowsUnchanged: 1, rowsRefused: 1 });
  expect(await refusals(service, id)).toEqual([['5', 'A', 'Its code stands in line 2 already.']]);
  const again = await load(service, file, { type: 'PRODUCT_CODES', productId });
  expect(again).toMatchObject({ rowsCreated: 0, rowsUnchanged: 3, rowsRefused: 1 });
  expect(await stockOf(productId)).toBe(3);
});

test('codes go to the item of their row, of the import, or to the first', async () => {
  const { id: productId, items } = await newProduct({ itemNames: ['Coffee', 'Tea'] });
  const [coffee, tea] = items;
  const file = `code,item\ni-1,\ni-2,Tea\ni-3,${coffee!.id}\ni-4,Water\n`;
  const { id, ...report } = await load(service, file, { type: 'PRODUCT_CODES', productId });
  expect(report).toMatchObject({ rowsCreated: 3, rowsRefused: 1 });
  expect((await refusals(service, id))[0]?.[2]).toContain("'Water' is no item");
  await load(service, 'code\ni-5\n', { type: 'PRODUCT_CODES', productId, itemId: tea!.id });
  const stored = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ code: string; item_id: string }>(
      `select code, item_id from product_code where client_id = $1 and product_id = $2 order by code`,
      [service.clientId, productId],
    ),
  );
  expect(stored.map(({ code, item_id }) => [code, item_id === tea!.id ? 'Tea' : 'Coffee'])).toEqual([
    ['i-1', 'Coffee'],
    ['i-2', 'Tea'],
    ['i-3', 'Coffee'],
    ['i-5', 'Tea'],
  ]);
});

test('anyone who waits for a code gets one from the file', async () => {
  const { id: productId } = await newProduct({ name: 'Ticket' });
  const { id: reward } = (
    await service.rest('POST', '/admin/rewards', { name: 'A ticket', type: 'PRODUCTS', amount: 1, productId })
  ).body;
  await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'BUY', type: 'SINGLE' });
  const { id: audience } = (await service.rest('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' })).body;
  const { id: campaign } = (
    await service.rest('POST', '/admin/campaigns', {
      name: 'Tickets',
      audienceIds: [audience],
      rewardIds: [reward],
      missions: [{ type: 'MISSION', name: 'Buy', programmaticCode: 'BUY', target: 1 }],
    })
  ).body;
  await service.rest('POST', `/admin/campaigns/${campaign}/activate`);
  const event = { programmaticCode: 'BUY', accountId: 'waiting', idType: 'EXTERNAL', metadata: {} };
  await service.rest('POST', '/gamification/triggers', event);
  const rewards = async () =>
    (await service.rest('GET', '/v1/gamification/missions/my-rewards/waiting?idType=EXTERNAL')).body;
  expect(await rewards()).toMatchObject([{ status: 'PENDING_STOCK' }]);

  const file = `code\n${Array.from({ length: 6_000 }, (_, index) => `T-${index}`).join('\n')}\n`;
  expect(await load(service, file, { type: 'PRODUCT_CODES', productId })).toMatchObject({ rowsCreated: 6_000 });
  expect(await rewards()).toMatchObject([{ status: 'DELIVERED', codes: [{ code: 'T-0' }] }]);
  expect(await stockOf(productId)).toBe(5_999);
});

test('a file of codes without the column fails with a clear error', async () => {
  const { id: productId } = await newProduct();
  const report = await load(service, 'coupon\nX\n', { type: 'PRODUCT_CODES', productId });
  expect(report).toMatchObject({ status: 'FAILED', error: expect.stringContaining('The column code is missing') });
  expect(await stockOf(productId)).toBe(0);
});
