import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await findDifferences(service.db)).toEqual([]);
  await service.close();
});

/** A customer with 1,000 points. */
async function newRich(name: string) {
  const rich = await newCustomer(service, name);
  await post(service, `/admin/accounts/${name}/points/adjust`, {
    idType: 'EXTERNAL',
    amount: 1_000,
    reason: 'to spend',
  });
  return {
    ...rich,
    freeze: (id: string, more: object = {}) => ok(rich.freeze(id, more)),
    redeem: (id: string, more: object = {}) => ok(rich.redeem(id, more)),
    points: () => ok(service.rest('GET', `/loyalty/accounts/${name}/points?idType=EXTERNAL`)),
    history: () => ok(service.rest('GET', `/loyalty/accounts/${name}/points/history?idType=EXTERNAL`)),
  };
}

const reprice = (id: string, pointsCost: number | null) =>
  ok(service.rest('PATCH', `/admin/publications/${id}`, { pointsCost }));

describe('a unit that is held back', () => {
  test('costs what it cost when it was held back, whatever the price has risen to', async () => {
    const id = await newOffer(service, { pointsCost: 5 });
    const ada = await newRich('ada');
    expect(await ada.freeze(id, { quantity: 2 })).toMatchObject({ pointsCost: 5 });
    await reprice(id, 9);
    const reservations = await ok(service.rest('GET', `/marketplace/reservations?publicationId=${id}`));
    expect(reservations).toMatchObject([{ quantity: 2, pointsCost: 5 }]);
    const listed = await ok(service.rest('GET', `/admin/reservations/paginated?page=1&limit=1`));
    expect(listed.rows).toMatchObject([{ publicationId: id, pointsCost: 5 }]);
    expect(await ada.redeem(id)).toMatchObject({ quantity: 2, pointsSpent: 10 });
    expect(await ada.redeem(id)).toMatchObject({ quantity: 1, pointsSpent: 9 });
  });

  test.each([
    [2, 4],
    [null, 0],
  ])('costs less where the price has fallen to %s', async (price, pointsSpent) => {
    const id = await newOffer(service, { pointsCost: 5 });
    const ben = await newRich(`ben ${price}`.replace(' ', '-'));
    await ben.freeze(id, { quantity: 2 });
    await reprice(id, price);
    expect(await ben.redeem(id)).toMatchObject({ pointsSpent });
  });

  test('costs nothing where nothing was to be paid', async () => {
    const id = await newOffer(service);
    const cleo = await newRich('cleo');
    expect(await cleo.freeze(id)).toMatchObject({ pointsCost: 0 });
    await reprice(id, 50);
    expect(await cleo.redeem(id)).toMatchObject({ pointsSpent: 0 });
  });

  test('is priced by itself where one purchase takes several, and the rest keeps its promise', async () => {
    const id = await newOffer(service, { pointsCost: 5, stock: 20 });
    const dan = await newRich('dan');
    await dan.freeze(id, { quantity: 1, ttlSeconds: 100 });
    await reprice(id, 3);
    await dan.freeze(id, { quantity: 3, ttlSeconds: 200 });
    await reprice(id, 4);
    // One at 4 instead of 5, two at 3.
    expect(await dan.redeem(id, { quantity: 3 })).toMatchObject({ pointsSpent: 10 });
    await reprice(id, 8);
    // The last one that was reserved for 3, and two from the stock.
    expect(await dan.redeem(id, { quantity: 3 })).toMatchObject({ pointsSpent: 19 });
  });

  test('from before prices were promised costs the present price', async () => {
    const id = await newOffer(service, { pointsCost: 5 });
    const eve = await newRich('eve');
    const { id: reservationId } = await eve.freeze(id);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update reservation set points_cost = null where client_id = $1 and id = $2', [
        uow.clientId,
        reservationId,
      ]),
    );
    const [reservation] = await ok(service.rest('GET', `/marketplace/reservations?publicationId=${id}`));
    expect(reservation).not.toHaveProperty('pointsCost');
    await reprice(id, 7);
    expect(await eve.redeem(id)).toMatchObject({ pointsSpent: 7 });
  });
});

describe('a purchase of a publication', () => {
  const cancel = (id: string) => service.rest('POST', `/admin/redemptions/${id}/cancel`, { reason: 'wrong size' });

  test('is taken back like any other: the points return, the units do not', async () => {
    const id = await newOffer(service, { pointsCost: 5, stock: 3 });
    const { productId } = await stateOf(service, id);
    const fay = await newRich('fay');
    const bought = await fay.redeem(id, { quantity: 2 });
    expect(await fay.points()).toMatchObject({ available: 990, spent: 10 });
    expect(await ok(cancel(bought.id))).toEqual({ ...bought, status: 'CANCELLED' });
    expect(await fay.points()).toMatchObject({ available: 1_000, spent: 0 });
    expect((await fay.history())[0]).toMatchObject({ type: 'REFUND', amount: 10, sourceId: bought.id });
    expect(await stateOf(service, id)).toMatchObject({ stock: 1, availableStock: 1 });
    // 20 of its 23 codes were never allocated to this publication.
    const product = await ok(service.rest('GET', `/admin/products/${productId}`));
    expect(product).toMatchObject({ stock: 21, allocated: 1, free: 20 });
    expect(await cancel(bought.id)).toMatchObject({ status: 409, body: { code: 'REDEMPTION_ALREADY_CANCELLED' } });
  });

  test('that cost nothing is taken back without a line in the ledger', async () => {
    const id = await newOffer(service);
    const gus = await newRich('gus');
    const { id: redemptionId } = await gus.redeem(id);
    const lines = await gus.history();
    expect(await ok(cancel(redemptionId))).toMatchObject({ status: 'CANCELLED', pointsSpent: 0 });
    expect(await gus.history()).toEqual(lines);
  });
});
