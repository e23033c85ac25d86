import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogVersion } from '../../../src/clients/catalog-version.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const create = (body: object, token?: string) => service.rest('POST', '/admin/audiences', body, token);

test('what is created is what is read', async () => {
  const created = await create({ name: 'Friends ✨', kind: 'MANUAL' });
  expect(created).toMatchObject({ status: 201, body: { name: 'Friends ✨', kind: 'MANUAL' } });
  expect((await service.rest('GET', `/admin/audiences/${created.body.id.toUpperCase()}`)).body).toEqual({
    ...created.body,
    memberCount: 0,
  });
});

test('a repeat creates another one', async () => {
  const [one, two] = [await create({ name: 'Twice', kind: 'MANUAL' }), await create({ name: 'Twice', kind: 'MANUAL' })];
  expect(one.body.id).not.toBe(two.body.id);
});

test('a new audience makes every process read the definitions again', async () => {
  const version = () => service.db.unitOfWork(service.clientId, catalogVersion);
  const before = await version();
  await create({ name: 'All', kind: 'EVERYONE' });
  expect(await version()).toBeGreaterThan(before);
});

test.each([
  {},
  { name: '', kind: 'MANUAL' },
  { name: 'x'.repeat(256), kind: 'MANUAL' },
  { name: 'a' },
  { name: 'a', kind: 'KIND_UNSPECIFIED' },
  { name: 'a', kind: 'SOME' },
  { name: 'a', kind: 'MANUAL', size: 3 },
])('%j is a 400', async (body) => {
  expect(await create(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('an unknown audience is a 404, a malformed id a 400', async () => {
  expect(await service.rest('GET', `/admin/audiences/${newId()}`)).toMatchObject({
    status: 404,
    body: { code: 'AUDIENCE_NOT_FOUND' },
  });
  expect((await service.rest('GET', '/admin/audiences/all')).status).toBe(400);
});

test('lists by name, filters by kind, and shows no other client anything', async () => {
  const { adminToken } = await service.newTenant();
  for (const [name, kind] of [
    ['b', 'MANUAL'],
    ['a', 'EVERYONE'],
    ['c', 'MANUAL'],
  ])
    await create({ name, kind }, adminToken);
  const list = async (filters: object[], token = adminToken) =>
    service.rest(
      'GET',
      `/admin/audiences/paginated?${new URLSearchParams({ page: '1', limit: '10', filters: JSON.stringify({ filters }) })}`,
      undefined,
      token,
    );
  const names = async (filters: object[]) => (await list(filters)).body.rows.map((row: { name: string }) => row.name);
  expect(await names([])).toEqual(['a', 'b', 'c']);
  expect(await names([{ field: 'kind', value: 'MANUAL' }])).toEqual(['b', 'c']);
  expect(await names([{ field: 'name', value: 'B' }])).toEqual(['b']);
  expect(await list([{ field: 'kind', value: 'manual' }])).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('MANUAL, EVERYONE') },
  });
  const elsewhere = await service.newTenant();
  expect((await list([], elsewhere.adminToken)).body.rows).toEqual([]);
});

test('an API key may not administer', async () => {
  expect(await create({ name: 'a', kind: 'MANUAL' }, service.apiKey)).toMatchObject({ status: 403 });
});
