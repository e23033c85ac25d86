import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { newTenant, restAs, startService, type TestService } from '../../support/service.ts';
import { differences } from './provision.ts';

let service: TestService;
let accountId: string;

beforeAll(async () => {
  service = await startService();
  accountId = (await post('/accounts', { externalId: 'ada' })).id;
  await post(`/admin/accounts/${accountId}/points/adjust`, { amount: 1_000, reason: 'For shopping.' });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const post = (path: string, body?: object) => ok(service.rest('POST', path, body));
const path = (id: string) => `/admin/products/${id}`;
const newProduct = (body: object = {}) =>
  post('/admin/products', { name: 'Coffee', stockMode: 'COUNTED', stock: 5, pointsCost: 2, ...body });
const redeem = (id: string) => service.rest('POST', `/loyalty/products/${id}/redeem`, { accountId });

async function withCodes(...codes: string[]) {
  const product = await newProduct({ stockMode: 'CODES', stock: undefined });
  await post(`${path(product.id)}/codes`, { codes });
  return product;
}

const codesOf = async (id: string, query = pageQuery()) =>
  ok(service.rest('GET', `${path(id)}/codes/paginated?${query}`));

describe('an update', () => {
  test('replaces texts and price from the next purchase on, and leaves the units', async () => {
    const product = await newProduct({ description: 'Black.' });
    const updated = await ok(service.rest('PUT', path(product.id), { version: 1, name: 'Tea', pointsCost: 3.5 }));
    expect(updated).toEqual({
      ...product,
      name: 'Tea',
      description: '',
      pointsCost: 3.5,
      version: 2,
      updatedAt: expect.any(String),
    });
    expect((await redeem(product.id)).body).toMatchObject({ pointsSpent: 3.5, product: { name: 'Tea' } });
    expect((await recorded(service, product.id)).at(-1)).toMatchObject({
      operation: 'ProductAdminService.UpdateProduct',
      before: { name: 'Coffee', pointsCost: 2 },
      after: { name: 'Tea', pointsCost: 3.5 },
    });
  });

  test('without a price ends the sale for points', async () => {
    const { id } = await newProduct();
    await ok(service.rest('PUT', path(id), { version: 1, name: 'Coffee' }));
    expect((await redeem(id)).body.code).toBe('PRODUCT_NOT_REDEEMABLE');
  });

  test('by two editors at once tells the second; a sale in between does not', async () => {
    const { id } = await newProduct();
    await ok(redeem(id));
    await expectOneConflict((name) => service.rest('PUT', path(id), { version: 1, name }));
  });
});

describe('a withdrawal of units', () => {
  const withdraw = (id: string, quantity: number, reason = 'Broken.') =>
    service.rest('POST', `${path(id)}/stock/withdraw`, { quantity, reason });

  test('lowers the stock at once, with its reason in the audit log, and a repeat withdraws again', async () => {
    const { id } = await newProduct();
    expect(await ok(withdraw(id, 2, 'Two were broken.'))).toMatchObject({ id, stock: 3, free: 3 });
    expect(await ok(withdraw(id, 2))).toMatchObject({ stock: 1 });
    expect((await recorded(service, id))[1]).toMatchObject({
      operation: 'ProductAdminService.WithdrawProductStock',
      note: '2 units withdrawn: Two were broken.',
      before: { stock: 5 },
      after: { stock: 3 },
    });
  });

  test('takes free units only: those of publications stay, and the message says how many are free', async () => {
    const { id } = await newProduct();
    await post('/admin/publications', { productId: id, name: 'On offer', stock: 3 });
    const { body } = await withdraw(id, 3);
    expect(body).toMatchObject({ statusCode: 409, code: 'UNITS_NOT_FREE' });
    expect(body.message).toContain('Send a `quantity` of 2 at most');
    expect(await ok(withdraw(id, 2))).toMatchObject({ stock: 3, free: 0 });
    expect((await withdraw(id, 1)).body.message).toMatch(/Withdraw units from publications first\.$/);
  });

  test('leaves nothing to the purchases that come at the same time: each unit goes once', async () => {
    const { id } = await newProduct({ stock: 10 });
    const calls = Array.from({ length: 10 }, (_, index) => [redeem(id), withdraw(id, 1, `Piece ${index}.`)]).flat();
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(10);
    expect(await ok(service.rest('GET', path(id)))).toMatchObject({ stock: 0 });
  });

  test('needs a reason, a product that exists and units that are counted', async () => {
    const { id } = await newProduct();
    expect((await withdraw(id, 1, '')).body).toMatchObject({ code: 'BAD_REQUEST', details: [{ field: 'reason' }] });
    expect((await withdraw(newId(), 1)).body.code).toBe('PRODUCT_NOT_FOUND');
    expect((await withdraw((await withCodes('A')).id, 1)).body.code).toBe('STOCK_MODE_MISMATCH');
    const other = restAs(service.baseUrl, await newTenant(service.db));
    const others = await other('POST', `${path(id)}/stock/withdraw`, { quantity: 1, reason: 'Try' });
    expect(others.body.code).toBe('PRODUCT_NOT_FOUND');
  });
});

test('units are added with a reason in the audit log, or without one', async () => {
  const { id } = await newProduct();
  await post(`${path(id)}/stock`, { quantity: 2, reason: 'Delivery 4711.' });
  await post(`${path(id)}/stock`, { quantity: 1 });
  const notes = (await recorded(service, id)).map(({ note }) => note).filter(Boolean);
  expect(new Set(notes)).toEqual(new Set(['1 units added.', '2 units added: Delivery 4711.']));
});

describe('the outlook of a product', () => {
  const outlook = (id: string) => ok(service.rest('GET', `${path(id)}/outlook`));

  test('says when its free units end at the rate of a day and of a week; cancelled and sold ones do not count', async () => {
    const { id } = await newProduct({ stock: 20, pointsCost: 1 });
    expect(await outlook(id)).toEqual({ free: 20, day: { unitsTaken: 0 }, week: { unitsTaken: 0 } });
    const [first, second] = [await ok(redeem(id)), await ok(redeem(id)), await ok(redeem(id))];
    await post(`/admin/redemptions/${second.id}/cancel`, { reason: 'A mistake.' });
    // One of them was three days ago.
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update redemption set created_at = created_at - interval '3 days' where client_id = $1 and id = $2`, [
        uow.clientId,
        first.id,
      ]),
    );
    const { free, day, week } = await outlook(id);
    expect([free, day.unitsTaken, week.unitsTaken]).toEqual([17, 1, 2]);
    const days = (rate: { soldOutAt: string }) => (Date.parse(rate.soldOutAt) - Date.now()) / 86_400_000;
    expect(days(day)).toBeCloseTo(17, 1);
    expect(days(week)).toBeCloseTo((17 / 2) * 7, 1);
  });

  test('of UNLIMITED units has rates only, and an unknown product has none', async () => {
    const { id } = await newProduct({ stockMode: 'UNLIMITED', stock: undefined });
    await ok(redeem(id));
    expect(await outlook(id)).toEqual({ day: { unitsTaken: 1 }, week: { unitsTaken: 1 } });
    expect((await service.rest('GET', `${path(newId())}/outlook`)).body.code).toBe('PRODUCT_NOT_FOUND');
  });
});

describe('an archived product', () => {
  test('is no longer sold, named or listed', async () => {
    const { id } = await newProduct();
    const archived = await post(`${path(id)}/archive`);
    expect(archived).toMatchObject({ archivedAt: expect.any(String), version: 2 });
    expect(await post(`${path(id)}/archive`)).toEqual(archived);
    expect((await redeem(id)).body).toMatchObject({
      code: 'PRODUCT_NOT_REDEEMABLE',
      message: expect.stringContaining('archived'),
    });
    const reward = { name: 'x', type: 'PRODUCTS', amount: 1, productId: id };
    expect((await service.rest('POST', '/admin/rewards', reward)).body.message).toContain('archived');
    const publication = { name: 'x', productId: id };
    expect((await service.rest('POST', '/admin/publications', publication)).body.message).toContain('archived');
    expect((await ok(service.rest('GET', `/admin/products/paginated?${pageQuery({ id })}`))).totalRows).toBe(0);
  });

  test('cannot be one that a reward gives or a publication sells', async () => {
    const { id } = await newProduct();
    const reward = await post('/admin/rewards', { name: 'Free coffee', type: 'PRODUCTS', amount: 1, productId: id });
    const publication = await post('/admin/publications', { name: 'Coffee today', productId: id, stock: 1 });
    await post(`/marketplace/publications/${publication.id}/publish`);
    const archive = () => service.rest('POST', `${path(id)}/archive`);
    const refused = await archive();
    expect(refused).toMatchObject({ status: 409, body: { code: 'PRODUCT_IN_USE' } });
    expect(refused.body.message).toContain(`reward 'Free coffee', publication 'Coffee today'`);
    await post(`/admin/rewards/${reward.id}/archive`);
    await post(`/marketplace/publications/${publication.id}/unpublish`);
    expect((await archive()).status).toBe(200);
  });
});

describe('codes', () => {
  test('are listed masked, with who has them, and found by what they are', async () => {
    const { id } = await withCodes('COFFEE-0001', 'COFFEE-0002', 'SHORT');
    const { id: redemptionId } = await ok(redeem(id));
    const page = await codesOf(id);
    expect(page.rows).toMatchObject([
      { maskedCode: '••••0001', status: 'REDEEMED', accountId, redemptionId },
      { maskedCode: '••••0002', status: 'UNUSED' },
      { maskedCode: expect.stringMatching(/^••••#[0-9a-f]{4}$/), status: 'UNUSED' },
    ]);
    expect(JSON.stringify(page)).not.toMatch(/COFFEE|SHORT/);
    expect((await codesOf(id, pageQuery({ status: 'UNUSED' }))).totalRows).toBe(2);
    expect((await codesOf(id, `${pageQuery()}&code=COFFEE-0001`)).rows).toEqual([page.rows[0]]);
    expect((await codesOf(id, `${pageQuery()}&code=COFFEE`)).rows).toEqual([]);
  });

  test('that are unused are withdrawn, all or none, and never given out afterwards', async () => {
    const { id } = await withCodes('COFFEE-0001', 'COFFEE-0002', 'COFFEE-0003');
    await ok(redeem(id));
    const [taken, wrong] = (await codesOf(id)).rows;
    const withdraw = (...codeIds: string[]) => service.rest('POST', `${path(id)}/codes/withdraw`, { codeIds });
    expect(await withdraw(wrong.id, taken.id)).toMatchObject({
      status: 409,
      body: { code: 'PRODUCT_CODE_REDEEMED', message: expect.stringContaining(taken.id) },
    });
    expect(await ok(withdraw(wrong.id))).toMatchObject({ stock: 1 });
    expect(await withdraw(wrong.id)).toMatchObject({ status: 404, body: { code: 'PRODUCT_CODE_NOT_FOUND' } });
    expect((await ok(redeem(id))).redeemables[0].code).toBe('COFFEE-0003');
    expect((await redeem(id)).body.code).toBe('OUT_OF_STOCK');
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'ProductAdminService.WithdrawProductCodes',
    });
  });

  test('that are withdrawn and taken at once are one or the other', async () => {
    const { id } = await withCodes('ONLY-0001');
    const [code] = (await codesOf(id)).rows;
    const [withdrawn, redeemed] = await Promise.all([
      service.rest('POST', `${path(id)}/codes/withdraw`, { codeIds: [code.id] }),
      redeem(id),
    ]);
    expect(new Set([withdrawn.status, redeemed.status])).toEqual(new Set([200, 409]));
  });

  test('of a product without codes are not withdrawn', async () => {
    const { id } = await newProduct();
    const answer = await service.rest('POST', `${path(id)}/codes/withdraw`, { codeIds: [newId()] });
    expect(answer).toMatchObject({ status: 409, body: { code: 'STOCK_MODE_MISMATCH' } });
    expect((await codesOf(id)).rows).toEqual([]);
  });
});

test.each([
  ['PUT', '', { version: 1, name: 'x' }],
  ['POST', '/archive', undefined],
  ['GET', `/codes/paginated?${pageQuery()}`, undefined],
  ['POST', '/codes/withdraw', { codeIds: [newId()] }],
])("%s %s finds nothing of another client's", async (method, end, body) => {
  const { id } = await newProduct();
  const { adminToken } = await service.newTenant();
  for (const answer of [
    await service.rest(method, path(id) + end, body, adminToken),
    await service.rest(method, path(newId()) + end, body),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } });
});
