import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';

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
