import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Permission } from '../../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../../gen/routes.ts';
import { requiredPermissions } from '../../src/server/rpc/required-permission.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());

/** A key from the administration API, created by a client's administrator. */
async function newKey(more: object = {}): Promise<{ id: string; secret: string }> {
  const { body } = await service.rest('POST', '/admin/credentials', { kind: 'API_KEY', name: 'Shop', ...more });
  return { id: body.credential.id, secret: body.secret };
}
const resolve = (token: string) => service.rest('POST', '/accounts/resolve', { externalId: 'ada' }, token);

const needs = requiredPermissions();
/** Operations without a credential, by which people get one, are listed in roles.test.ts. */
const everyRoute = routes
  .filter(({ rpc }) => needs(rpc) !== Permission.ANYONE)
  .map(({ httpMethod, path }) => [httpMethod, path.replaceAll(/\{\w+\}/g, crypto.randomUUID())]);

describe('without a valid credential', () => {
  test.each(everyRoute)('%s %s is a 401', async (method = '', path = '') => {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi', `Bearer ${service.apiKey}x`]) {
      const answer = await fetch(service.baseUrl + path, {
        method,
        headers: { ...(authorization && { authorization }) },
      });
      expect(answer.status, authorization).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await answer.json()).toEqual(errorBody(401, 'UNAUTHENTICATED'));
    }
  });
});

test('an API key opens the operations of integrators, and a client administrator issues it', async () => {
  const { secret } = await newKey();
  expect(secret).toMatch(/^lrl_key_/);
  expect((await resolve(secret)).status).toBe(200);
});

test('a revoked API key is a 401', async () => {
  const { id, secret } = await newKey();
  expect((await resolve(secret)).status).toBe(200);
  expect((await service.rest('POST', `/admin/credentials/${id}/revoke`)).status).toBe(200);
  await expect.poll(async () => (await resolve(secret)).status).toBe(401);
  expect((await resolve(secret)).body).toEqual(errorBody(401, 'UNAUTHENTICATED'));
});

test('an expired API key is a 401', async () => {
  const { secret } = await newKey({ expiresAt: new Date(Date.now() + 1_000).toISOString() });
  expect((await resolve(secret)).status).toBe(200);
  await expect.poll(async () => (await resolve(secret)).status, { timeout: 5_000 }).toBe(401);
  expect((await resolve(secret)).body).toEqual(errorBody(401, 'UNAUTHENTICATED'));
});

test('the access token of a client administrator opens webhook management, an API key does not', async () => {
  expect((await service.rest('GET', '/webhooks/rewards', undefined, service.adminToken)).status).toBe(404);
  const refused = await service.rest('GET', '/webhooks/rewards', undefined, service.apiKey);
  expect(refused).toMatchObject({ status: 403, body: errorBody(403, 'FORBIDDEN') });
});
