import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { newAgreement, newCoupon, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let stranger: Tenant;

beforeAll(async () => {
  service = await startService();
  stranger = await service.newTenant();
});
afterAll(() => service.close());

const refusal = (statusCode: number, code: string) => ({
  status: statusCode,
  body: { statusCode, code, message: expect.any(String), traceId: expect.any(String) },
});

describe('a publication', () => {
  test('is created as a draft with everything that it was given', async () => {
    const agreementId = await newAgreement(service, 5);
    const productId = await newCoupon(service, 7);
    const draft = { productId, agreementId, name: 'Free coffee', description: 'Any size.', stock: 7, pointsCost: 12.5 };
    const answer = await service.rest('POST', '/admin/publications', draft);
    expect(answer).toMatchObject({ status: 201, body: { ...draft, status: 'DRAFT', availableStock: 7 } });
    expect(answer.body).not.toHaveProperty('pauseReason');
    for (const path of ['/marketplace/publications', '/admin/publications']) {
      expect((await service.rest('GET', `${path}/${answer.body.id}`)).body).toEqual(answer.body);
    }
  });

  test('without an agreement says so by null', async () => {
    expect((await stateOf(service, await newOffer(service))).agreementId).toBeNull();
  });

  test('changes what is sent and nothing else; null clears', async () => {
    const id = await newOffer(service, { pointsCost: 3, name: 'Old name' });
    const before = await stateOf(service, id);
    const change = (body: object) => service.rest('PATCH', `/admin/publications/${id}`, body);
    expect((await change({ name: 'New name', description: 'Words.' })).body).toMatchObject({
      ...before,
      name: 'New name',
      description: 'Words.',
      version: before.version + 1,
      updatedAt: expect.any(String),
    });
    const { body } = await change({ pointsCost: null, description: null });
    expect(body).toMatchObject({ name: 'New name', description: '', stock: before.stock });
    expect(body.pointsCost).toBeUndefined();
    expect(await change({ name: null })).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await change({ stock: 5 })).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });

  test('gets more stock, a repeat adds again, and is not published by it', async () => {
    const id = await newOffer(service, { stock: 1, publish: false });
    await post(service, `/admin/publications/${id}/stock`, { quantity: 4 });
    const again = await service.rest('POST', `/admin/publications/${id}/stock`, { quantity: 4 });
    expect(again).toMatchObject({ status: 200, body: { stock: 9, availableStock: 9, status: 'DRAFT' } });
  });

  test.each<[string, object]>([
    ['an unknown product', { productId: randomUUID() }],
    ['a product id that is no UUID', { productId: 'coffee' }],
    ['an unknown agreement', { agreementId: randomUUID() }],
    ['no name', { name: '' }],
    ['a name with a NUL', { name: 'a\0b' }],
    ['negative stock', { stock: -1 }],
    ['fractional stock', { stock: 1.5 }],
    ['a price of 0', { pointsCost: 0 }],
    ['a price with five decimals', { pointsCost: 0.00001 }],
    ['an unknown field', { colour: 'red' }],
  ])('is not created with %s', async (_, more) => {
    const draft = { productId: await newCoupon(service, 0), name: 'Name', stock: 1, ...more };
    expect(await service.rest('POST', '/admin/publications', draft)).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });

  test('holds two billion units at most', async () => {
    const { id: productId } = await post(service, '/admin/products', { name: 'Endless', stockMode: 'UNLIMITED' });
    const id = await newOffer(service, { stock: 1, productId, publish: false });
    const add = () => service.rest('POST', `/admin/publications/${id}/stock`, { quantity: 1_000_000_000 });
    expect((await add()).status).toBe(200);
    expect(await add()).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect((await stateOf(service, id)).stock).toBe(1_000_000_001);
  });
});

describe('an agreement', () => {
  test('is created, read, listed and gets more stock', async () => {
    const created = await service.rest('POST', '/admin/agreements', { name: 'Roastery', stock: 3 });
    expect(created).toMatchObject({ status: 201, body: { name: 'Roastery', stock: 3, availableStock: 3 } });
    const path = `/admin/agreements/${created.body.id}`;
    expect((await service.rest('GET', path)).body).toEqual(created.body);
    expect((await post(service, `${path}/stock`, { quantity: 4 })).stock).toBe(7);
    const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'name', value: 'ROAST' }] }));
    const list = await service.rest('GET', `/admin/agreements/paginated?page=1&limit=5&filters=${filters}`);
    expect(list.body).toMatchObject({ rows: [{ id: created.body.id, stock: 7 }], totalRows: 1 });
  });

  test('shows what its publications leave available', async () => {
    const agreementId = await newAgreement(service, 10);
    const ada = await newCustomer(service, 'ada of the agreement');
    await ada.freeze(await newOffer(service, { agreementId, stock: 5 }), { quantity: 2 });
    await ada.redeem(await newOffer(service, { agreementId, stock: 5 }), { quantity: 3 });
    const { body } = await service.rest('GET', `/admin/agreements/${agreementId}`);
    expect(body).toMatchObject({ stock: 7, availableStock: 5 });
  });
});

describe('publishing', () => {
  const move = (id: string, to: 'publish' | 'unpublish', token?: string) =>
    service.rest('POST', `/marketplace/publications/${id}/${to}`, undefined, token);

  test('offers and withdraws, and a repeat changes nothing', async () => {
    const id = await newOffer(service, { publish: false });
    for (const to of ['publish', 'unpublish'] as const) {
      const first = await move(id, to);
      const [status, pauseReason] = to === 'publish' ? ['PUBLISHED_ON_MARKETPLACE', 'NONE'] : ['DRAFT', 'MANUAL'];
      expect(first).toMatchObject({ status: 200, body: { status, pauseReason } });
      expect((await move(id, to)).body).toEqual(first.body);
    }
  });

  test('is refused while nothing is available, in the publication or in its agreement', async () => {
    const empty = await newOffer(service, { stock: 0, publish: false });
    const agreementId = await newAgreement(service, 0);
    const poor = await newOffer(service, { stock: 5, agreementId, publish: false });
    for (const id of [empty, poor]) expect(await move(id, 'publish')).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    await post(service, `/admin/agreements/${agreementId}/stock`, { quantity: 1 });
    expect((await move(poor, 'publish')).status).toBe(200);
  });

  test('leaves reservations as they are when it is taken back', async () => {
    const id = await newOffer(service);
    const ada = await newCustomer(service, 'ada who waits');
    await ada.freeze(id, { quantity: 4 });
    expect((await move(id, 'unpublish')).body).toMatchObject({ stock: 10, availableStock: 6 });
  });
});

describe('what is published', () => {
  const list = (query: string, token?: string) =>
    service.rest('GET', `/marketplace/publications/published/paginated?${query}`, undefined, token);
  const filtered = (...filters: object[]) =>
    list(`page=1&limit=100&filters=${encodeURIComponent(JSON.stringify({ filters }))}`);

  test('is listed by name, by page, with what is available, and drafts are not', async () => {
    const agreementId = await newAgreement(service, 100);
    const names = ['Listed b', 'Listed a', 'Listed c'];
    const ids = [];
    for (const name of names) ids.push(await newOffer(service, { name, agreementId }));
    await newOffer(service, { name: 'Listed draft', agreementId, publish: false });
    const ada = await newCustomer(service, 'ada of the list');
    await ada.freeze(ids[0]!, { quantity: 3 });
    const own = encodeURIComponent(JSON.stringify({ filters: [{ field: 'agreementId', value: agreementId }] }));
    const first = await list(`page=1&limit=2&filters=${own}`);
    expect(first.body).toMatchObject({
      rows: [
        { name: 'Listed a', availableStock: 10 },
        { name: 'Listed b', stock: 10, availableStock: 7 },
      ],
      next: true,
      previous: false,
      page: 1,
      perPage: 2,
      totalPages: 2,
      totalRows: 3,
    });
    const second = await list(`page=2&limit=2&filters=${own}`);
    expect(second.body).toMatchObject({ rows: [{ name: 'Listed c' }], next: false, previous: true });
    const everything = await service.rest('GET', `/admin/publications/paginated?page=1&limit=9&filters=${own}`);
    expect(everything.body.totalRows).toBe(4);
  });

  test('is filtered by each documented field', async () => {
    const id = await newOffer(service, { name: 'Needle_100%', pointsCost: 77.5 });
    const { productId, createdAt } = await stateOf(service, id);
    for (const condition of [
      { field: 'id', value: id },
      { field: 'name', value: 'needle_100%' },
      { field: 'name', value: ['Needle_100%'] },
      { field: 'productId', value: productId },
      { field: 'pointsCost', value: 77.5 },
      { field: 'createdAt', value: createdAt },
    ]) {
      expect((await filtered(condition)).body.rows, JSON.stringify(condition)).toMatchObject([{ id }]);
    }
    expect((await filtered({ field: 'agreementId', value: null }, { field: 'id', value: id })).body.totalRows).toBe(1);
    expect((await filtered({ field: 'name', value: 'needle_1%' })).body.rows).toEqual([]);
  });

  test.each([
    'limit=5',
    'page=1',
    'page=0&limit=5',
    'page=1&limit=1001',
    'page=1&limit=1e3',
    'page=1&limit=5&filters={',
    `page=1&limit=5&filters=${encodeURIComponent('{"filters":[{"field":"status","value":"DRAFT"}]}')}`,
    `page=1&limit=5&filters=${encodeURIComponent('{"filters":[{"field":"pointsCost","value":"cheap"}]}')}`,
  ])('is not listed for %s', async (query) => {
    expect(await list(query)).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });

  test('is listed to its own client only', async () => {
    await newOffer(service);
    expect((await list('page=1&limit=10', stranger.apiKey)).body.totalRows).toBe(0);
  });
});

test("another client's ids are as unknown as any", async () => {
  const id = await newOffer(service);
  const agreementId = await newAgreement(service, 1);
  const productId = await newCoupon(service, 0);
  const { apiKey, adminToken } = stranger;
  const as = (token: string, method: string, path: string, body?: object) => service.rest(method, path, body, token);
  const publication = refusal(404, 'PUBLICATION_NOT_FOUND');
  expect(await as(apiKey, 'GET', `/marketplace/publications/${id}`)).toMatchObject(publication);
  expect(await as(apiKey, 'POST', `/marketplace/publications/${id}/publish`)).toMatchObject(publication);
  expect(await as(apiKey, 'POST', `/marketplace/publications/${id}/unpublish`)).toMatchObject(publication);
  expect(await as(adminToken, 'GET', `/admin/publications/${id}`)).toMatchObject(publication);
  expect(await as(adminToken, 'PATCH', `/admin/publications/${id}`, { name: 'Mine' })).toMatchObject(publication);
  expect(await as(adminToken, 'POST', `/admin/publications/${id}/stock`, { quantity: 1 })).toMatchObject(publication);
  const agreement = refusal(404, 'AGREEMENT_NOT_FOUND');
  expect(await as(adminToken, 'GET', `/admin/agreements/${agreementId}`)).toMatchObject(agreement);
  expect(await as(adminToken, 'POST', `/admin/agreements/${agreementId}/stock`, { quantity: 1 })).toMatchObject(
    agreement,
  );
  const draft = { productId, name: 'Name' };
  expect(await as(adminToken, 'POST', '/admin/publications', draft)).toMatchObject(refusal(400, 'BAD_REQUEST'));
  const own = await newCoupon(service, 0, adminToken);
  expect(await as(adminToken, 'POST', '/admin/publications', { ...draft, productId: own, agreementId })).toMatchObject(
    refusal(400, 'BAD_REQUEST'),
  );
});

test('an integrator may not administer', async () => {
  const id = await newOffer(service);
  for (const [method, path] of [
    ['POST', '/admin/publications'],
    ['PATCH', `/admin/publications/${id}`],
    ['GET', `/admin/publications/${id}`],
    ['GET', '/admin/agreements/paginated?page=1&limit=1'],
  ] as const) {
    const answer = await service.rest(method, path, method === 'GET' ? undefined : {}, service.apiKey);
    expect(answer, `${method} ${path}`).toMatchObject({ status: 403 });
  }
});

test('a malformed id is a 400, an unknown one a 404', async () => {
  const get = (id: string) => service.rest('GET', `/marketplace/publications/${id}`);
  expect(await get('coffee')).toMatchObject(refusal(400, 'BAD_REQUEST'));
  expect(await get(randomUUID())).toMatchObject(refusal(404, 'PUBLICATION_NOT_FOUND'));
  const id = await newOffer(service);
  expect((await get(id.toUpperCase())).body.id).toBe(id);
});
