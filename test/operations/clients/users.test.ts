import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldSessions } from '../../../src/clients/sessions/delete-old-sessions.ts';
import { startService, type TestService } from '../../support/service.ts';
import { newUser, settledUser, signIn } from './console.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ trustForwarded: true });
});
afterAll(() => service.close());

const create = (body: object, token = service.adminToken) => service.rest('POST', '/admin/users', body, token);
const get = async (id: string) => (await service.rest('GET', `/admin/users/${id}`)).body;
const update = (id: string, body: object, token = service.adminToken) =>
  service.rest('PATCH', `/admin/users/${id}`, body, token);
const reset = (id: string, token = service.adminToken) =>
  service.rest('POST', `/admin/users/${id}/reset-password`, undefined, token);
const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };

describe('creating a user', () => {
  test('shows a password once, which opens the way to one of the own', async () => {
    const { status, body } = await create({ email: 'Eva@example.com', name: 'Eva' });
    expect(status).toBe(201);
    expect(body.password).toMatch(/^(\w{5}-){3}\w{5}$/);
    expect(body.user).toEqual({
      id: expect.any(String),
      email: 'Eva@example.com',
      name: 'Eva',
      role: 'CLIENT_ADMIN',
      disabled: false,
      passwordChangeRequired: true,
      secondFactorEnabled: false,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await get(body.user.id)).toEqual(body.user);
    const session = await signIn(service, { email: 'eva@example.com', password: body.password });
    expect(session.body.session.user).toMatchObject({ id: body.user.id, passwordChangeRequired: true });
  });

  test('is refused for an e-mail that the client has, in any case of its letters, also at the same moment', async () => {
    const emails = ['Twin@example.com', 'twin@example.com', 'TWIN@EXAMPLE.COM'];
    const answers = await Promise.all(emails.map((email) => create({ email })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('CONSOLE_USER_ALREADY_EXISTS');
    const { adminToken } = await service.newTenant();
    expect((await create({ email: 'twin@example.com' }, adminToken)).status).toBe(201);
  });

  test('gives nobody more than the creator has', async () => {
    const root = { email: 'root@example.com', role: 'SERVICE_ADMIN' };
    expect(await create(root)).toMatchObject(forbidden);
    expect((await create(root, service.serviceToken)).body.user.role).toBe('SERVICE_ADMIN');
  });

  test.each([
    {},
    { email: 'no address' },
    { email: `${'a'.repeat(250)}@example.com` },
    { email: 'a@example.com', role: 'INTEGRATOR' },
    { email: 'a@example.com', name: 'a'.repeat(256) },
    { email: 'a@example.com', password: 'mine' },
  ])('%j is a 400', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('changing a user', () => {
  test('writes what was sent, and refuses a second change of the same version', async () => {
    const { id } = await newUser(service);
    const first = await update(id, { name: 'Ana Maria', version: 1 });
    expect(first.body).toMatchObject({ name: 'Ana Maria', role: 'CLIENT_ADMIN', version: 2 });
    const second = await update(id, { name: 'Somebody else', version: 1 });
    expect(second).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', message: expect.stringContaining('test CLIENT_ADMIN') },
    });
    expect((await get(id)).name).toBe('Ana Maria');
    expect((await update(id, { name: null, version: 2 })).body.name).toBe('');
  });

  test('of two at once, one gets a conflict', async () => {
    const { id } = await newUser(service);
    const both = await Promise.all(['A', 'B'].map((name) => update(id, { name, version: 1 })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('nobody disables or demotes oneself', async () => {
    const user = await settledUser(service, service.serviceToken, 'SERVICE_ADMIN');
    const token = user.answer.body.accessToken;
    for (const change of [{ disabled: true }, { role: 'CLIENT_ADMIN' }]) {
      expect(await update(user.id, { ...change, version: 1 }, token)).toMatchObject({
        status: 409,
        body: { code: 'OWN_USER' },
      });
    }
    expect((await update(user.id, { name: 'Me', version: 1 }, token)).status).toBe(200);
  });

  test('a client administrator neither makes a service administrator nor takes over the account of one', async () => {
    const plain = await newUser(service);
    const root = await newUser(service, service.serviceToken, 'SERVICE_ADMIN');
    expect(await update(plain.id, { role: 'SERVICE_ADMIN', version: 1 })).toMatchObject(forbidden);
    expect(await update(root.id, { name: 'Mine', version: 1 })).toMatchObject(forbidden);
    expect(await reset(root.id)).toMatchObject(forbidden);
    expect((await update(plain.id, { role: 'SERVICE_ADMIN', version: 1 }, service.serviceToken)).status).toBe(200);
  });

  test('a demotion holds within a second', async () => {
    const root = await settledUser(service, service.serviceToken, 'SERVICE_ADMIN');
    const clients = () =>
      service.rest('GET', '/admin/clients/paginated?page=1&limit=1', undefined, root.answer.body.accessToken);
    expect((await clients()).status).toBe(200);
    await update(root.id, { role: 'CLIENT_ADMIN', version: 1 }, service.serviceToken);
    await expect.poll(async () => (await clients()).status, { timeout: 1_000 }).toBe(403);
  });

  test.each([
    { version: 1, role: null },
    { version: 1, disabled: null },
    { name: 'a' },
    { version: 1, email: 'a@b.c' },
  ])('%j is a 400', async (body) => {
    const { id } = await newUser(service);
    expect(await update(id, body)).toMatchObject({ status: 400 });
  });
});

test('a new password ends the sessions and makes the old one worthless', async () => {
  const user = await settledUser(service);
  const { body } = await reset(user.id);
  expect(body.user).toMatchObject({ passwordChangeRequired: true, version: 2 });
  expect((await signIn(service, user)).status).toBe(401);
  expect((await signIn(service, { ...user, password: body.password })).status).toBe(200);
  await sleep(1_000);
  expect((await service.rest('GET', '/admin/session', undefined, user.answer.body.accessToken)).status).toBe(401);
});

test('users are listed by e-mail, filtered, and found by their own client alone', async () => {
  const tenant = await service.newTenant();
  for (const email of ['b@example.com', 'a@example.com', 'c@other.org']) await create({ email }, tenant.adminToken);
  const list = async (query = '') =>
    (await service.rest('GET', `/admin/users/paginated?page=1&limit=10${query}`, undefined, tenant.adminToken)).body;
  expect((await list()).rows.map((row: { email: string }) => row.email)).toEqual([
    'a@example.com',
    'b@example.com',
    'c@other.org',
  ]);
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'email', value: 'EXAMPLE' }] }));
  const found = await list(`&filters=${filters}`);
  expect(found.totalRows).toBe(2);
  const id = found.rows[0].id;
  expect(await service.rest('GET', `/admin/users/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'CONSOLE_USER_NOT_FOUND' },
  });
});

test('housekeeping forgets sessions that are over, and no others', async () => {
  const { clientId, adminToken } = await service.newTenant();
  const { answer, ...user } = await settledUser(service, adminToken);
  await service.rest('POST', '/admin/session/sign-out', undefined, answer.body.accessToken);
  const kept = await signIn(service, user);
  expect(await deleteOldSessions(service.db, clientId, new Date(Date.now() - 60_000))).toBe(0);
  // The session from before the first password was replaced is still open, and so is the last one.
  expect(await deleteOldSessions(service.db, clientId, new Date(Date.now() + 60_000))).toBe(1);
  expect((await service.rest('GET', '/admin/session', undefined, kept.body.accessToken)).status).toBe(200);
});
