import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { type Condition, encoded, errorBody, filters, startContractService } from './support/contract-service.ts';
import { newAgreement, newPublication } from './support/shop.ts';

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
  await newGame(service, { rewards: [{ name: '100 points', type: 'POINTS', amount: 100 }] });
});
afterAll(() => service.close());

const SHOP = '/marketplace/publications';
const PUBLISHED = `${SHOP}/published/paginated`;
const buyer = { accountId: 'ada', idType: 'EXTERNAL' };
const freeze = (publicationId: string, more: object = {}) =>
  service.rest('POST', `${SHOP}/freeze`, { publicationId, ...buyer, ...more });
const unfreeze = (publicationId: string, more: object = {}) =>
  service.rest('POST', `${SHOP}/unfreeze`, { publicationId, ...buyer, ...more });
const redeem = (publicationId: string, more: object = {}) =>
  service.rest('POST', `${SHOP}/redeem/${publicationId}`, { ...buyer, ...more });
const read = async (publicationId: string) => (await service.rest('GET', `${SHOP}/${publicationId}`)).body;
const resolve = (externalId: string) => service.rest('POST', '/accounts/resolve', { externalId });
const reservations = async (query = '') => (await service.rest('GET', `/marketplace/reservations${query}`)).body;

describe('GET /marketplace/publications/{id}', () => {
  test('gives the current state, of a draft too', async () => {
    const id = await newPublication(service, { stock: 5, pointsCost: 2.5 });
    expect(await read(id)).toMatchObject({
      id,
      status: 'PUBLISHED_ON_MARKETPLACE',
      pauseReason: 'NONE',
      stock: 5,
      availableStock: 5,
      pointsCost: 2.5,
      agreementId: null,
    });
    await service.rest('POST', `${SHOP}/${id}/unpublish`);
    expect(await read(id)).toMatchObject({ status: 'DRAFT', pauseReason: 'MANUAL' });
  });

  test('of an unknown one is a 404, of a malformed id a 400', async () => {
    expect(await read(randomUUID())).toEqual(errorBody(404, 'PUBLICATION_NOT_FOUND'));
    expect(await read('first')).toMatchObject(errorBody(400, 'BAD_REQUEST'));
  });
});

describe('GET /marketplace/publications/published/paginated', () => {
  test('gives published ones only, by name, in the paginated envelope', async () => {
    const first = await newPublication(service, { name: 'Listed A', pointsCost: 3 });
    const second = await newPublication(service, { name: 'Listed B' });
    await newPublication(service, { name: 'Listed C', publish: false });
    const list = (...conditions: Condition[]) =>
      service.rest('GET', `${PUBLISHED}?page=1&limit=10&filters=${filters(['name', 'listed'], ...conditions)}`);
    expect((await list()).body).toMatchObject({
      rows: [{ id: first }, { id: second }],
      next: false,
      previous: false,
      page: 1,
      perPage: 10,
      totalPages: 1,
      totalRows: 2,
    });
    expect((await list(['pointsCost', 3])).body.rows).toMatchObject([{ id: first }]);
    expect((await list(['pointsCost', null])).body.rows).toMatchObject([{ id: second }]);
    expect((await list(['agreementId', null])).body.totalRows).toBe(2);
    expect((await list(['id', second])).body.rows).toMatchObject([{ id: second }]);
  });

  test('names the filterable fields where one is not', async () => {
    const answer = await service.rest('GET', `${PUBLISHED}?page=1&limit=10&filters=${filters(['status', 'DRAFT'])}`);
    const allowed = /id, name, productId, agreementId, pointsCost, createdAt/;
    expect(answer).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', allowed) });
    const deleted = await service.rest(
      'GET',
      `${PUBLISHED}?page=1&limit=10&filters=${encoded({ includeDeleted: true })}`,
    );
    expect(deleted.status).toBe(200);
  });
});

describe('POST /marketplace/publications/freeze', () => {
  test('holds units back for an account, which an unknown external id creates', async () => {
    const id = await newPublication(service, { stock: 5 });
    const answer = await freeze(id, { accountId: 'newcomer', quantity: 2, ttlSeconds: 60 });
    const { body: account } = await service.rest('GET', '/accounts/newcomer?idType=EXTERNAL');
    expect(answer).toMatchObject({
      status: 200,
      body: { publicationId: id, accountId: account.id, quantity: 2, status: 'ACTIVE' },
    });
    const lasts = Date.parse(answer.body.expiresAt) - Date.parse(answer.body.createdAt);
    expect(lasts).toBe(60_000);
    expect(await read(id)).toMatchObject({ stock: 5, availableStock: 3 });
  });

  test('holds for 900 seconds by default', async () => {
    const { body } = await freeze(await newPublication(service, { stock: 1 }));
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(900_000);
  });

  test('beyond the stock is a 409, and reaching 0 does not pause', async () => {
    const id = await newPublication(service, { stock: 2 });
    expect(await freeze(id, { quantity: 3 })).toMatchObject({ status: 409, body: errorBody(409, 'OUT_OF_STOCK') });
    expect((await freeze(id, { quantity: 2 })).status).toBe(200);
    expect(await freeze(id, { accountId: 'bob' })).toMatchObject({ body: errorBody(409, 'OUT_OF_STOCK') });
    expect(await read(id)).toMatchObject({ status: 'PUBLISHED_ON_MARKETPLACE', availableStock: 0 });
  });

  test.each<[string, object]>([
    ['a quantity of 0', { quantity: 0 }],
    ['a negative quantity', { quantity: -1 }],
    ['half a unit', { quantity: 0.5 }],
    ['no time', { ttlSeconds: 0 }],
    ['more than a day', { ttlSeconds: 86_401 }],
    ['a malformed internal id', { idType: 'INTERNAL' }],
  ])('with %s is a 400', async (_what, more) => {
    const id = await newPublication(service, { stock: 5 });
    expect(await freeze(id, more)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
    expect(await read(id)).toMatchObject({ availableStock: 5 });
  });

  test('of a draft is a 409, of an unknown publication or internal account a 404', async () => {
    const draft = await newPublication(service, { publish: false });
    expect(await freeze(draft)).toMatchObject({ body: errorBody(409, 'PUBLICATION_NOT_PUBLISHED') });
    expect(await freeze(randomUUID())).toMatchObject({ body: errorBody(404, 'PUBLICATION_NOT_FOUND') });
    const published = await newPublication(service);
    const unknown = await freeze(published, { accountId: randomUUID(), idType: 'INTERNAL' });
    expect(unknown).toMatchObject({ body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
  });

  test('with the same operationId holds once', async () => {
    const id = await newPublication(service, { stock: 5 });
    const first = await freeze(id, { operationId: 'hold-once' });
    expect(await freeze(id, { operationId: 'hold-once' })).toMatchObject({ status: 200, body: first.body });
    expect(await read(id)).toMatchObject({ availableStock: 4 });
  });
});

describe('POST /marketplace/publications/unfreeze', () => {
  test('gives the units back, and a repeat gives back nothing', async () => {
    const id = await newPublication(service, { stock: 5 });
    await freeze(id, { quantity: 3 });
    expect(await unfreeze(id)).toMatchObject({ status: 200, body: { releasedQuantity: 3 } });
    expect(await read(id)).toMatchObject({ availableStock: 5 });
    expect(await unfreeze(id)).toMatchObject({ status: 200, body: { releasedQuantity: 0 } });
  });

  test('without account or publication does nothing and creates nothing', async () => {
    const id = await newPublication(service);
    const nothing = { status: 200, body: { releasedQuantity: 0 } };
    expect(await unfreeze(id, { accountId: 'ghost' })).toMatchObject(nothing);
    expect((await service.rest('GET', '/accounts/ghost?idType=EXTERNAL')).status).toBe(404);
    expect(await unfreeze(id, { accountId: randomUUID(), idType: 'INTERNAL' })).toMatchObject(nothing);
    expect(await unfreeze(randomUUID())).toMatchObject(nothing);
  });
});

describe('POST /marketplace/publications/redeem/{id}', () => {
  test('takes the reservation of the account if it has one', async () => {
    const id = await newPublication(service, { stock: 5 });
    await resolve('ada');
    const { body: reservation } = await freeze(id, { quantity: 2 });
    const answer = await redeem(id);
    expect(answer).toMatchObject({ status: 200, body: { source: 'MARKETPLACE', quantity: 2, status: 'COMPLETED' } });
    expect(await read(id)).toMatchObject({ stock: 3, availableStock: 3 });
    const redeemed = await reservations(`?publicationId=${id}&status=REDEEMED`);
    expect(redeemed).toMatchObject([{ id: reservation.id, status: 'REDEEMED' }]);
  });

  test('buys from the stock otherwise, one unit by default, with codes and price', async () => {
    await service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', ...buyer });
    const id = await newPublication(service, { stock: 2, codes: ['SHOP-1', 'SHOP-2'], pointsCost: 40 });
    const { status, body } = await redeem(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ quantity: 1, pointsSpent: 40, redeemables: [{ code: 'SHOP-1' }] });
    expect((await service.rest('GET', '/redemptions/ada?idType=EXTERNAL')).body[0]).toEqual(body);
    const points = await service.rest('GET', '/loyalty/accounts/ada/points?idType=EXTERNAL');
    expect(points.body).toMatchObject({ available: 60, spent: 40 });
    const poor = await redeem(await newPublication(service, { stock: 2, pointsCost: 61 }));
    expect(poor).toMatchObject({ status: 409, body: errorBody(409, 'INSUFFICIENT_POINTS') });
  });

  test.each<[string, object]>([
    ['0', { quantity: 0 }],
    ['negative', { quantity: -2 }],
    ['fractional', { quantity: 1.5 }],
    ['above 1000', { quantity: 1001 }],
  ])('of a quantity that is %s is a 400', async (_what, more) => {
    await resolve('ada');
    const id = await newPublication(service, { stock: 5 });
    expect(await redeem(id, more)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /quantity/) });
    expect(await read(id)).toMatchObject({ stock: 5 });
  });

  test('of a draft, beyond the stock, or of what others hold is a 409', async () => {
    await resolve('ada');
    const draft = await newPublication(service, { stock: 5, publish: false });
    expect(await redeem(draft)).toMatchObject({ status: 409, body: errorBody(409, 'PUBLICATION_NOT_PUBLISHED') });
    const id = await newPublication(service, { stock: 2 });
    expect(await redeem(id, { quantity: 3 })).toMatchObject({ body: errorBody(409, 'OUT_OF_STOCK') });
    await freeze(id, { accountId: 'bob', quantity: 2 });
    expect(await redeem(id)).toMatchObject({ status: 409, body: errorBody(409, 'OUT_OF_STOCK') });
  });

  test('of an unknown publication or account is a 404, and creates none', async () => {
    await resolve('ada');
    expect(await redeem(randomUUID())).toMatchObject({ body: errorBody(404, 'PUBLICATION_NOT_FOUND') });
    const stranger = await redeem(await newPublication(service), { accountId: 'stranger' });
    expect(stranger).toMatchObject({ body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
    expect((await service.rest('GET', '/accounts/stranger?idType=EXTERNAL')).status).toBe(404);
  });

  test('with the same operationId buys once', async () => {
    await resolve('ada');
    const id = await newPublication(service, { stock: 5 });
    const first = await redeem(id, { operationId: 'buy-once' });
    expect(await redeem(id, { operationId: 'buy-once' })).toMatchObject({ status: 200, body: first.body });
    expect(await read(id)).toMatchObject({ stock: 4 });
  });
});

describe('GET /marketplace/reservations', () => {
  test('gives active ones, as a bare array, narrowed by account, publication and status', async () => {
    const agreementId = await newAgreement(service, 10);
    const id = await newPublication(service, { stock: 10, agreementId });
    await freeze(id, { accountId: 'carl' });
    await freeze(id, { accountId: 'dora', quantity: 3 });
    expect(await reservations(`?publicationId=${id}`)).toMatchObject([{ quantity: 3 }, { quantity: 1 }]);
    const own = `?accountId=dora&idType=EXTERNAL&publicationId=${id}`;
    expect(await reservations(own)).toMatchObject([{ quantity: 3, status: 'ACTIVE' }]);
    await unfreeze(id, { accountId: 'dora' });
    expect(await reservations(own)).toEqual([]);
    expect(await reservations(`${own}&status=RELEASED`)).toMatchObject([{ quantity: 3, status: 'RELEASED' }]);
    expect(await reservations('?accountId=stranger&idType=EXTERNAL')).toEqual([]);
    expect(await reservations(`?accountId=${randomUUID()}`)).toEqual(errorBody(404, 'ACCOUNT_NOT_FOUND'));
    expect(await reservations('?status=active')).toEqual(errorBody(400, 'BAD_REQUEST'));
  });
});
