import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, recorded } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const create = (body: object, token = service.serviceToken) => service.rest('POST', '/admin/clients', body, token);

test('what is created is what is read; the time zone is UTC unless one is sent', async () => {
  const created = await create({ name: 'Shop' });
  expect(created).toMatchObject({ status: 201, body: { name: 'Shop', timeZone: 'UTC' } });
  const read = await service.rest('GET', `/admin/clients/${created.body.id}`, undefined, service.serviceToken);
  expect(read).toMatchObject({ status: 200, body: created.body });
  expect((await create({ name: 'Tienda', timeZone: 'europe/madrid' })).body.timeZone).toBe('Europe/Madrid');
});

test.each([
  {},
  { name: '' },
  { name: 'x'.repeat(256) },
  { name: 'a', timeZone: 'Mars/Olympus' },
  { name: 'a', timeZone: '+01:00' },
  { name: 'a', id: newId() },
])('%j is a 400', async (body) => {
  expect(await create(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a name with a NUL is refused over Connect as well', async () => {
  const path = '/laurel.admin.v1.ClientAdminService/CreateClient';
  const answer = await service.rest('POST', path, { name: 'a\0b' }, service.serviceToken);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument' } });
});

test('an unknown client is a 404, a malformed id a 400', async () => {
  const get = (id: string) => service.rest('GET', `/admin/clients/${id}`, undefined, service.serviceToken);
  expect(await get(newId())).toMatchObject({ status: 404, body: { code: 'CLIENT_NOT_FOUND' } });
  expect((await get('mine')).status).toBe(400);
});

test('every client is listed, by name', async () => {
  const names = ['zz list c', 'zz list a', 'zz list b'];
  for (const name of names) await create({ name });
  const filters = JSON.stringify({ filters: [{ field: 'name', value: 'ZZ LIST' }] });
  const query = new URLSearchParams({ page: '1', limit: '2', filters });
  const { body } = await service.rest('GET', `/admin/clients/paginated?${query}`, undefined, service.serviceToken);
  expect(body).toMatchObject({ next: true, totalRows: 3, rows: [{ name: 'zz list a' }, { name: 'zz list b' }] });
});

test('clients are for those who run the service', async () => {
  for (const token of [service.apiKey, service.adminToken]) {
    expect(await create({ name: 'a' }, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  }
});

describe('an update', () => {
  const path = (id: string) => `/admin/clients/${id}`;
  const own = async (tenant: Tenant) => ok(service.rest('GET', path(tenant.clientId), undefined, tenant.adminToken));
  const put = (tenant: Tenant, body: object, id = tenant.clientId) =>
    service.rest('PUT', path(id), body, tenant.adminToken);

  test('by its own administrator replaces name and time zone, and is recorded', async () => {
    const tenant = await service.newTenant();
    const before = await own(tenant);
    const updated = await ok(put(tenant, { version: before.version, name: 'Tienda', timeZone: 'europe/madrid' }));
    expect(updated).toMatchObject({ name: 'Tienda', timeZone: 'Europe/Madrid', version: before.version + 1 });
    expect(await own(tenant)).toEqual(updated);
    expect((await recorded({ ...service, clientId: tenant.clientId }, tenant.clientId)).at(-1)).toMatchObject({
      operation: 'ClientAdminService.UpdateClient',
      before: { timeZone: 'UTC' },
      after: { timeZone: 'Europe/Madrid' },
    });
  });

  test('by two editors at once tells the second', async () => {
    const tenant = await service.newTenant();
    await expectOneConflict((name) => put(tenant, { version: 1, name, timeZone: 'UTC' }));
  });

  test('by who runs the service reaches any client', async () => {
    const { clientId } = await service.newTenant();
    const body = { version: 1, name: 'From above', timeZone: 'UTC' };
    expect((await service.rest('PUT', path(clientId), body, service.serviceToken)).status).toBe(200);
    expect((await service.rest('PUT', path(newId()), body, service.serviceToken)).status).toBe(404);
  });

  test('of another client is a 404, as reading it is; an API key may do neither', async () => {
    const tenant = await service.newTenant();
    const body = { version: 1, name: 'x', timeZone: 'UTC' };
    const unknown = { status: 404, body: { code: 'CLIENT_NOT_FOUND' } };
    expect(await put(tenant, body, service.clientId)).toMatchObject(unknown);
    expect(await service.rest('GET', path(service.clientId), undefined, tenant.adminToken)).toMatchObject(unknown);
    expect((await service.rest('GET', path(tenant.clientId), undefined, tenant.apiKey)).status).toBe(403);
    expect((await service.rest('PUT', path(tenant.clientId), body, tenant.apiKey)).status).toBe(403);
  });

  test('needs a time zone that there is', async () => {
    const tenant = await service.newTenant();
    expect((await put(tenant, { version: 1, name: 'x', timeZone: 'Mars/Olympus' })).status).toBe(400);
    expect((await put(tenant, { version: 1, name: 'x' })).status).toBe(400);
  });
});
