import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseToken } from '../../../src/clients/credentials/token.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const create = (body: object, token = service.adminToken) => service.rest('POST', '/admin/credentials', body, token);
const revoke = (id: string, token = service.adminToken) =>
  service.rest('POST', `/admin/credentials/${id}/revoke`, undefined, token);
const statusWith = async (secret: string) =>
  (await service.rest('GET', '/accounts/paginated?page=1&limit=1', undefined, secret)).status;

test('a new key works at once and its secret is stored nowhere', async () => {
  const { status, body } = await create({ kind: 'API_KEY', name: 'Backend' });
  expect(status).toBe(201);
  expect(body.credential).toMatchObject({ kind: 'API_KEY', role: 'INTEGRATOR', name: 'Backend' });
  expect(body.secret.endsWith(body.credential.lastFour)).toBe(true);
  expect(parseToken(body.secret)).toEqual({ kind: 'API_KEY', clientId: service.clientId });
  expect(await statusWith(body.secret)).toBe(200);
  const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ text: string }>('select credential::text as text from credential where id = $1', [body.credential.id]),
  );
  expect(row!.text).not.toContain(body.secret.slice(8));
  expect(service.log.some((line) => line.includes(body.secret))).toBe(false);
});

describe('roles', () => {
  test.each([
    [{ kind: 'ACCESS_TOKEN' }, 'CLIENT_ADMIN'],
    [{ kind: 'ACCESS_TOKEN', role: 'CLIENT_ADMIN' }, 'CLIENT_ADMIN'],
    [{ kind: 'API_KEY', role: 'INTEGRATOR' }, 'INTEGRATOR'],
  ])('%j is %s', async (body, role) => {
    expect((await create({ name: 'a', ...body })).body.credential.role).toBe(role);
  });

  test('a client administrator may not make a service administrator; a service administrator may', async () => {
    const wanted = { kind: 'ACCESS_TOKEN', role: 'SERVICE_ADMIN', name: 'Root' };
    expect(await create(wanted)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await create(wanted, service.serviceToken)).body.credential.role).toBe('SERVICE_ADMIN');
  });

  test('an API key may not make credentials', async () => {
    expect((await create({ kind: 'API_KEY', name: 'a' }, service.apiKey)).status).toBe(403);
  });

  test.each([
    { name: 'a' },
    { kind: 'API_KEY' },
    { kind: 'API_KEY', name: '' },
    { kind: 'PASSWORD', name: 'a' },
    { kind: 'API_KEY', name: 'a', role: 'CLIENT_ADMIN' },
    { kind: 'ACCESS_TOKEN', name: 'a', role: 'INTEGRATOR' },
    { kind: 'ACCESS_TOKEN', name: 'a', role: 'PUBLIC' },
    { kind: 'API_KEY', name: 'a', expiresAt: '2020-01-01T00:00:00Z' },
    { kind: 'API_KEY', name: 'a', expiresAt: 'tomorrow' },
    { kind: 'API_KEY', name: 'a', secret: 'mine' },
  ])('%j is a 400', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

test('a key is refused from its expiry on', async () => {
  const expiresAt = new Date(Date.now() + 1_500).toISOString();
  const { body } = await create({ kind: 'API_KEY', name: 'Short', expiresAt });
  expect(await statusWith(body.secret)).toBe(200);
  await sleep(Date.parse(expiresAt) - Date.now() + 10);
  expect(await statusWith(body.secret)).toBe(401);
});

test('a revoked key is refused within a second, and revoking again changes nothing', async () => {
  const { body } = await create({ kind: 'API_KEY', name: 'Leaked' });
  expect(await statusWith(body.secret)).toBe(200);
  const first = await revoke(body.credential.id);
  expect(first).toMatchObject({ status: 200, body: { id: body.credential.id, revokedAt: expect.any(String) } });
  await sleep(1_000);
  expect(await statusWith(body.secret)).toBe(401);
  expect((await revoke(body.credential.id)).body.revokedAt).toBe(first.body.revokedAt);
});

test('an unknown credential is a 404, a malformed id a 400', async () => {
  expect(await revoke(newId())).toMatchObject({ status: 404, body: { code: 'CREDENTIAL_NOT_FOUND' } });
  expect((await revoke('mine')).status).toBe(400);
});

test("another client's credentials can be neither seen nor revoked", async () => {
  const other = await service.newTenant();
  const { body } = await create({ kind: 'API_KEY', name: 'Mine' });
  expect(await revoke(body.credential.id, other.adminToken)).toMatchObject({ status: 404 });
  expect(await statusWith(body.secret)).toBe(200);
  const list = await service.rest('GET', '/admin/credentials/paginated?page=1&limit=100', undefined, other.adminToken);
  expect(list.body.rows.map((row: { id: string }) => row.id)).not.toContain(body.credential.id);
});

test('credentials are listed latest first, without their secrets', async () => {
  const { adminToken } = await service.newTenant();
  for (const name of ['first', 'second', 'third']) await create({ kind: 'API_KEY', name }, adminToken);
  const query = new URLSearchParams({
    page: '1',
    limit: '10',
    filters: JSON.stringify({ filters: [{ field: 'kind', value: 'API_KEY' }] }),
  });
  const { body } = await service.rest('GET', `/admin/credentials/paginated?${query}`, undefined, adminToken);
  const names = body.rows.map((row: { name: string }) => row.name);
  expect(names.slice(0, 3)).toEqual(['third', 'second', 'first']);
  expect(Object.keys(body.rows[0]).toSorted()).toEqual(['createdAt', 'id', 'kind', 'lastFour', 'name', 'role']);
});
