import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { customer, newAgreement, newCustomer, newOffer } from './shop.ts';

let service: TestService;
let ada: ReturnType<typeof customer>;

beforeAll(async () => {
  service = await startService();
  await newCustomer(service, 'ada');
  ada = customer(service, 'ada');
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: object) => service.rest(method, path, body);
const page = (path: string, conditions: Record<string, unknown> = {}) =>
  ok(admin('GET', `${path}/paginated?${pageQuery(conditions)}`));

describe('an agreement', () => {
  test('takes a new name and keeps its units, whatever is sold meanwhile', async () => {
    const id = await newAgreement(service, 10);
    const before = await ok(admin('GET', `/admin/agreements/${id}`));
    const offer = await newOffer(service, { agreementId: id });
    await ok(ada.redeem(offer));
    const updated = await ok(admin('PUT', `/admin/agreements/${id}`, { version: before.version, name: 'Supplier' }));
    expect(updated).toMatchObject({ name: 'Supplier', stock: 9, version: before.version + 1 });
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'AgreementAdminService.UpdateAgreement',
      after: { name: 'Supplier' },
    });
  });

  test('edited by two at once tells the second', async () => {
    const id = await newAgreement(service, 1);
    await expectOneConflict((name) => admin('PUT', `/admin/agreements/${id}`, { version: 1, name }));
  });

  test('tells which publications share it', async () => {
    const id = await newAgreement(service, 10);
    const [sold, draft] = [
      await newOffer(service, { agreementId: id, name: 'Sold' }),
      await newOffer(service, { agreementId: id, name: 'Draft', publish: false }),
    ];
    await newOffer(service);
    const { rows } = await page(`/admin/agreements/${id}/publications`);
    expect(rows.map((row: { id: string }) => row.id)).toEqual([draft, sold]);
    expect((await page(`/admin/agreements/${id}/publications`, { status: 'DRAFT' })).totalRows).toBe(1);
  });
});

describe('a publication', () => {
  const put = (id: string, body: object) => admin('PATCH', `/admin/publications/${id}`, body);

  test('edited by two at once with the version they read tells the second; sales and moves leave the version', async () => {
    const id = await newOffer(service);
    await ok(ada.redeem(id));
    expect((await ok(admin('GET', `/admin/publications/${id}`))).version).toBe(1);
    await expectOneConflict((name) => put(id, { version: 1, name }));
    expect(await ok(put(id, { name: 'Without a version' }))).toMatchObject({ name: 'Without a version', version: 3 });
  });

  test('that is a draft nobody touched is removed; a repeat finds nothing', async () => {
    const id = await newOffer(service, { publish: false });
    await ok(admin('DELETE', `/admin/publications/${id}`));
    const gone = { status: 404, body: { code: 'PUBLICATION_NOT_FOUND' } };
    expect(await admin('DELETE', `/admin/publications/${id}`)).toMatchObject(gone);
    expect(await service.rest('GET', `/marketplace/publications/${id}`)).toMatchObject(gone);
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'PublicationAdminService.DeletePublication',
      after: null,
    });
  });

  test('is kept while it is published, sold or held back', async () => {
    const id = await newOffer(service);
    const remove = async () => (await admin('DELETE', `/admin/publications/${id}`)).body?.code;
    const unpublish = () => ok(admin('POST', `/marketplace/publications/${id}/unpublish`));
    expect(await remove()).toBe('PUBLICATION_PUBLISHED');
    await ok(ada.freeze(id));
    await unpublish();
    expect(await remove()).toBe('PUBLICATION_RESERVED');
    await ok(ada.redeem(id));
    expect(await remove()).toBe('PUBLICATION_SOLD');
  });

  test('is removed or held back, never both', async () => {
    const id = await newOffer(service);
    await ok(admin('POST', `/marketplace/publications/${id}/unpublish`));
    const [published, removed] = await Promise.all([
      admin('POST', `/marketplace/publications/${id}/publish`),
      admin('DELETE', `/admin/publications/${id}`),
    ]);
    expect(published.status === 200).toBe(removed.status === 409);
    expect([200, 404]).toContain(published.status);
  });
});

test('reservations of all publications are listed, latest first, as they are now', async () => {
  const [one, other] = [await newOffer(service), await newOffer(service)];
  const { id: active, accountId } = await ok(ada.freeze(one));
  const { id: released } = await ok(ada.freeze(other));
  await ok(ada.unfreeze(other));
  const { id: lapsed } = await ok(ada.freeze(other, { ttlSeconds: 1 }));
  const statusOf = async (id: string) => (await page('/admin/reservations', { id })).rows[0]?.status;
  expect(await statusOf(active)).toBe('ACTIVE');
  expect(await statusOf(released)).toBe('RELEASED');
  await expect.poll(() => statusOf(lapsed), { timeout: 5_000 }).toBe('EXPIRED');
  const ids = async (conditions: Record<string, unknown>) =>
    (await page('/admin/reservations', conditions)).rows.map((row: { id: string }) => row.id);
  expect(await ids({ publicationId: other })).toEqual([lapsed, released]);
  expect(await ids({ accountId, publicationId: one, status: 'ACTIVE' })).toEqual([active]);
});

test('purchases are listed with their codes masked', async () => {
  const offer = await newOffer(service, { name: 'Bought', stock: 1_000 });
  const bought = await ok(ada.redeem(offer, { quantity: 2 }));
  const { rows, totalRows } = await page('/admin/purchases', { publicationId: offer });
  expect(totalRows).toBe(1);
  expect(rows[0]).toMatchObject({
    publicationId: offer,
    redemption: { id: bought.id, account: { id: bought.account.id }, quantity: 2, source: 'MARKETPLACE' },
  });
  const marks = bought.redeemables.map(({ id }: { id: string }) => `••••#${id.slice(-4)}`);
  expect(rows[0].redemption.redeemables.map((unit: { code: string }) => unit.code)).toEqual(marks);
  expect((await page('/admin/purchases', { productId: newId() })).rows).toEqual([]);
});

test.each([
  ['PUT', 'agreements', '', { version: 1, name: 'x' }],
  ['GET', 'agreements', `/publications/paginated?${pageQuery()}`, undefined],
  ['DELETE', 'publications', '', undefined],
])("%s %s/{id}%s finds nothing of another client's", async (method, kind, end, body) => {
  const { adminToken } = await service.newTenant();
  const id = kind === 'agreements' ? await newAgreement(service, 1) : await newOffer(service, { publish: false });
  expect((await service.rest(method, `/admin/${kind}/${id}${end}`, body, adminToken)).status).toBe(404);
  expect((await service.rest(method, `/admin/${kind}/${newId()}${end}`, body)).status).toBe(404);
});
