import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { ok, pageQuery, recorded } from '../../support/administration.ts';
import { resumeRestocks } from '../../../src/rewards/delivery/restock.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, reward } from '../rewards/provision.ts';
import { listen } from './announcements.ts';
import { newAgreement, newCoupon, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let ada: Awaited<ReturnType<typeof newCustomer>>;
let ben: Awaited<ReturnType<typeof newCustomer>>;
let adasId: string;

beforeAll(async () => {
  service = await startService();
  [ada, ben] = [await newCustomer(service, 'ada'), await newCustomer(service, 'ben')];
  adasId = (await ok(service.rest('GET', '/accounts/ada?idType=EXTERNAL'))).id;
  await post(service, `/admin/accounts/${adasId}/points/adjust`, { amount: 1_000_000, reason: 'For shopping.' });
});
afterEach(async () => expect(await findDifferences(service.db)).toEqual([]));
afterAll(() => service.close());

const newMugs = async (stock: number): Promise<string> =>
  (await post(service, '/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock, pointsCost: 1 })).id;
const unitsOf = async (productId: string) => {
  const { stock, allocated, free, waiting } = await ok(service.rest('GET', `/admin/products/${productId}`));
  return { stock, allocated, free, waiting };
};
const offer = (productId: string, stock: number) =>
  service.rest('POST', '/admin/publications', { productId, name: 'Mug', stock });
const change = (id: string, quantity: number, end = '') =>
  service.rest('POST', `/admin/publications/${id}/stock${end}`, { quantity });
const withdraw = (id: string, quantity: number) => change(id, quantity, '/withdraw');
const move = (id: string, to: 'publish' | 'unpublish') => post(service, `/marketplace/publications/${id}/${to}`);
const buyForPoints = (productId: string, quantity = 1) =>
  service.rest('POST', `/loyalty/products/${productId}/redeem`, { accountId: adasId, quantity });
const refusal = (code: string, message: string) => ({
  status: 409,
  body: { code, message: expect.stringContaining(message) },
});

/** Ada earns units, as from an event; returns whether they are delivered or waiting. */
async function earn(productId: string, units: number): Promise<string> {
  const { clientId, db } = service;
  const { name, stockMode } = await ok(service.rest('GET', `/admin/products/${productId}`));
  const product = { id: productId, name, stockMode, fragmentsRequired: undefined, pointsCost: undefined };
  const order = { accountId: adasId, reward: reward('PRODUCTS', units, { product }), now: new Date() };
  return (await deliver(db, clientId, [order]))[0]!.status;
}

describe('a publication', () => {
  test('of more than its product has free is refused, says how much is free, and sets nothing aside', async () => {
    const productId = await newMugs(5);
    const { id } = (await offer(productId, 3)).body;
    expect(await offer(productId, 3)).toMatchObject(refusal('UNITS_NOT_FREE', '2 are free'));
    expect(await change(id, 3)).toMatchObject(refusal('UNITS_NOT_FREE', '`quantity` of 2 at most'));
    expect(await unitsOf(productId)).toEqual({ stock: 5, allocated: 3, free: 2, waiting: 0 });
    expect(await change(id, 2)).toMatchObject({ status: 200, body: { stock: 5 } });
    expect(await unitsOf(productId)).toEqual({ stock: 5, allocated: 5, free: 0, waiting: 0 });
  });

  test('of a product with codes needs as many free codes, of an unlimited one none', async () => {
    const coupon = await newCoupon(service, 2);
    expect(await offer(coupon, 3)).toMatchObject(refusal('UNITS_NOT_FREE', '2 are free'));
    expect((await offer(coupon, 2)).status).toBe(201);
    expect(await unitsOf(coupon)).toEqual({ stock: 2, allocated: 2, free: 0, waiting: 0 });
    const { id: endless } = await post(service, '/admin/products', { name: 'E-book', stockMode: 'UNLIMITED' });
    const { id } = (await offer(endless, 1_000)).body;
    await ok(change(id, 1_000));
    await ok(withdraw(id, 500));
    await move(id, 'publish');
    await ok(ada.redeem(id, { quantity: 2 }));
    expect(await stateOf(service, id)).toMatchObject({ stock: 1_498 });
    expect(await unitsOf(endless)).toEqual({ stock: undefined, allocated: undefined, free: undefined, waiting: 0 });
  });

  test('of a unit can be bought by who holds it, whoever else wants a unit of the product', async () => {
    const productId = await newMugs(1);
    const id = await newOffer(service, { productId, stock: 1 });
    await ok(ada.freeze(id));
    expect(await ben.freeze(id)).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK' } });
    expect(await buyForPoints(productId)).toMatchObject(refusal('OUT_OF_STOCK', 'sold out'));
    expect(await earn(productId, 1)).toBe('PENDING_STOCK');
    expect(await unitsOf(productId)).toEqual({ stock: 1, allocated: 1, free: 0, waiting: 1 });
    expect(await ada.redeem(id)).toMatchObject({ status: 200, body: { quantity: 1 } });
    expect(await unitsOf(productId)).toEqual({ stock: 0, allocated: 0, free: 0, waiting: 1 });
  });

  test('gets units that do not suffice for a reward which waits, and none that do', async () => {
    const productId = await newMugs(2);
    expect(await earn(productId, 3)).toBe('PENDING_STOCK');
    expect((await offer(productId, 1)).status).toBe(201);
    // The state after the first transaction of a long restock.
    const added = 'update product set stock = stock + 2, units_added = units_added + 2 where id = $1';
    await service.db.unitOfWork(service.clientId, (uow) => uow.query(added, [productId]));
    expect(await offer(productId, 1)).toMatchObject(refusal('UNITS_NOT_FREE', '1 earned reward'));
    expect(await buyForPoints(productId)).toMatchObject(refusal('OUT_OF_STOCK', 'sold out'));
    expect(await resumeRestocks(service.db, service.clientId, new Date())).toBe(1);
  });
});

describe('what is free', () => {
  test('is what rewards and redemptions for points are given from', async () => {
    const productId = await newMugs(4);
    await newOffer(service, { productId, stock: 2 });
    expect(await buyForPoints(productId, 3)).toMatchObject(refusal('OUT_OF_STOCK', 'has 2 units left'));
    expect((await buyForPoints(productId)).status).toBe(200);
    expect(await earn(productId, 1)).toBe('DELIVERED');
    expect(await earn(productId, 1)).toBe('PENDING_STOCK');
    expect(await unitsOf(productId)).toEqual({ stock: 2, allocated: 2, free: 0, waiting: 1 });
    // New units go to waiting rewards, not to the publication, whose units never go to waiting rewards.
    expect((await post(service, `/admin/products/${productId}/stock`, { quantity: 2 })).delivered).toBe(1);
    expect(await earn(productId, 3)).toBe('PENDING_STOCK');
    expect((await post(service, `/admin/products/${productId}/stock`, { quantity: 1 })).delivered).toBe(0);
    expect(await unitsOf(productId)).toEqual({ stock: 4, allocated: 2, free: 2, waiting: 1 });
    // Units that do not suffice for a waiting reward are available to all.
    expect((await buyForPoints(productId)).status).toBe(200);
    expect(await earn(productId, 1)).toBe('DELIVERED');
  });

  test('is all that can be withdrawn of codes', async () => {
    const productId = await newCoupon(service, 3);
    const { id } = (await offer(productId, 2)).body;
    const codes = await ok(service.rest('GET', `/admin/products/${productId}/codes/paginated?${pageQuery()}`));
    const take = (...indexes: number[]) =>
      service.rest('POST', `/admin/products/${productId}/codes/withdraw`, {
        codeIds: indexes.map((index) => codes.rows[index].id),
      });
    expect(await take(0, 1)).toMatchObject(refusal('UNITS_NOT_FREE', 'Send 1 at most'));
    expect(await unitsOf(productId)).toMatchObject({ stock: 3 });
    // Any code: before its sale, a code belongs to no publication.
    await ok(take(0));
    expect(await take(1)).toMatchObject(refusal('UNITS_NOT_FREE', '0 are free'));
    await ok(withdraw(id, 1));
    await ok(take(1));
    expect(await unitsOf(productId)).toEqual({ stock: 1, allocated: 1, free: 0, waiting: 0 });
  });
});

describe('units that nobody holds back', () => {
  test('can be withdrawn from a publication, published or not, and are free again', async () => {
    const productId = await newMugs(5);
    const id = await newOffer(service, { productId, stock: 5 });
    await ok(ada.freeze(id, { quantity: 2 }));
    expect(await withdraw(id, 4)).toMatchObject(refusal('OUT_OF_STOCK', 'accounts hold 2 back'));
    expect((await withdraw(id, 4)).body.message).toContain('`quantity` of 3 at most');
    expect(await withdraw(id, 1)).toMatchObject({ status: 200, body: { stock: 4, availableStock: 2 } });
    expect(await unitsOf(productId)).toEqual({ stock: 5, allocated: 4, free: 1, waiting: 0 });
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'PublicationAdminService.WithdrawPublicationStock',
      note: '1 units withdrawn.',
      before: { stock: 5 },
      after: { stock: 4 },
    });
    await move(id, 'unpublish');
    await ok(withdraw(id, 2));
    expect(await unitsOf(productId)).toEqual({ stock: 5, allocated: 2, free: 3, waiting: 0 });
  });

  test('can be withdrawn whatever the agreement has left, which keeps its units', async () => {
    const agreementId = await newAgreement(service, 1);
    const id = await newOffer(service, { stock: 5, agreementId });
    expect(await withdraw(id, 5)).toMatchObject({ status: 200, body: { stock: 0, availableStock: 0 } });
    const agreement = await ok(service.rest('GET', `/admin/agreements/${agreementId}`));
    expect(agreement).toMatchObject({ stock: 1, availableStock: 1 });
  });

  test('leave a publication published, and tell nobody', async () => {
    const listener = await listen(service);
    const [id, other] = [await newOffer(service, { stock: 1 }), await newOffer(service, { publish: false })];
    await ok(withdraw(id, 1));
    expect(await stateOf(service, id)).toMatchObject({ status: 'PUBLISHED_ON_MARKETPLACE', availableStock: 0 });
    await move(other, 'publish');
    const received = await listener.received(2);
    expect(received.get(id)).toMatchObject([{ pauseReason: 'NONE' }]);
    await listener.receiver.close();
  });

  test('are delivered to who waits, whether they are withdrawn or their publication is removed', async () => {
    const productId = await newMugs(3);
    const [one, other] = [await offer(productId, 2), await offer(productId, 1)];
    expect(await earn(productId, 1)).toBe('PENDING_STOCK');
    expect(await earn(productId, 1)).toBe('PENDING_STOCK');
    await ok(withdraw(one.body.id, 1));
    expect(await unitsOf(productId)).toEqual({ stock: 2, allocated: 2, free: 0, waiting: 1 });
    await ok(service.rest('DELETE', `/admin/publications/${other.body.id}`));
    expect(await unitsOf(productId)).toEqual({ stock: 1, allocated: 1, free: 0, waiting: 0 });
  });

  test('go with a publication that is removed', async () => {
    const productId = await newMugs(5);
    const { id } = (await offer(productId, 4)).body;
    await ok(service.rest('DELETE', `/admin/publications/${id}`));
    expect(await unitsOf(productId)).toEqual({ stock: 5, allocated: 0, free: 5, waiting: 0 });
  });

  test('that were withdrawn leave a publication of which nothing was sold removable', async () => {
    const id = await newOffer(service, { stock: 5, publish: false });
    await ok(withdraw(id, 5));
    await ok(service.rest('DELETE', `/admin/publications/${id}`));
  });
});

describe('what is available', () => {
  test('of a published publication is not more than its agreement has, in every read and webhook; of a draft its own', async () => {
    const listener = await listen(service);
    const agreementId = await newAgreement(service, 5);
    const [id, other] = [
      await newOffer(service, { agreementId, stock: 8, name: 'Scarcer than it looks' }),
      await newOffer(service, { agreementId, stock: 8 }),
    ];
    const shown = async (query: string) => (await ok(service.rest('GET', query))).rows[0].availableStock;
    const filters = pageQuery({ id });
    await ok(ada.freeze(other, { quantity: 2 }));
    for (const path of ['/marketplace/publications', '/admin/publications']) {
      expect((await ok(service.rest('GET', `${path}/${id}`))).availableStock).toBe(3);
    }
    expect(await shown(`/marketplace/publications/published/paginated?${filters}`)).toBe(3);
    expect(await shown(`/admin/publications/paginated?${filters}`)).toBe(3);
    expect(await move(id, 'unpublish')).toMatchObject({ availableStock: 8 });
    expect(await move(id, 'publish')).toMatchObject({ availableStock: 3 });
    // The agreement runs out while both publications have units left.
    await ok(ada.redeem(id, { quantity: 3 }));
    expect(await stateOf(service, id)).toMatchObject({ pauseReason: 'AGREEMENT_OUT_OF_STOCK', availableStock: 5 });
    expect(await stateOf(service, other)).toMatchObject({ pauseReason: 'AGREEMENT_OUT_OF_STOCK', availableStock: 6 });
    const received = (await listener.received(6)).get(id);
    expect(received?.map(({ pauseReason, availableStock }) => [pauseReason, availableStock])).toEqual([
      ['NONE', 5],
      ['MANUAL', 8],
      ['NONE', 3],
      ['AGREEMENT_OUT_OF_STOCK', 5],
    ]);
    await listener.receiver.close();
  });
});

test('however many publications, rewards and buyers want the free units at once, each goes to one of them', async () => {
  const productId = await newMugs(30);
  const ids = await Promise.all(Array.from({ length: 3 }, () => newOffer(service, { productId, stock: 3 })));
  const codes = new Set<string>();
  const note = ({ status, body }: { status: number; body: { code?: string } }) =>
    status >= 300 && codes.add(`${status} ${body.code}`);
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const id = ids[index % 3]!;
      switch (index % 6) {
        case 0:
          return note(await change(id, 2));
        case 1:
          return note(await withdraw(id, 1));
        case 2:
          return note(await buyForPoints(productId));
        case 3:
          return note(await ada.redeem(id));
        case 4:
          return note(await offer(productId, 1));
        default:
          return void (await earn(productId, 1));
      }
    }),
  );
  expect(['409 UNITS_NOT_FREE', '409 OUT_OF_STOCK', '409 PUBLICATION_NOT_PUBLISHED']).toEqual(
    expect.arrayContaining([...codes]),
  );
  const { stock, allocated, free } = await unitsOf(productId);
  expect(stock).toBe(allocated + free);
});
