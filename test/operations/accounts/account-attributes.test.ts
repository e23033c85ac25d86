import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import { ok, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await declare(ATTRIBUTES);
});
afterAll(() => service.close());

const ATTRIBUTES = [
  { name: 'tier', type: 'STRING', allowedValues: ['SILVER', 'GOLD'] },
  { name: 'visits', type: 'NUMBER', min: 0 },
  { name: 'isStaff', type: 'BOOLEAN' },
  { name: 'birthday', type: 'TIMESTAMP', personal: true },
  { name: 'tags', type: 'STRING_LIST' },
];

const PATH = '/admin/account-attributes';
const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

/** Replaces the declared attributes. */
async function declare(attributes: readonly object[]) {
  const { version } = await ok(admin('GET', PATH));
  return admin('PUT', PATH, { version, attributes });
}

let accounts = 0;
/** A new account with these attributes. */
const newAccount = (attributes?: object) =>
  ok(app('POST', '/accounts', { externalId: `attributed-${(accounts += 1)}`, attributes }));

const listed = async (query: object) =>
  (await ok(app('GET', `/accounts/paginated?${new URLSearchParams({ page: '1', limit: '100', ...query })}`))).rows;

describe('the declaration', () => {
  test('is empty and of version 1 at first, and is answered as it was sent, recorded, with its version', async () => {
    const { adminToken, clientId } = await service.newTenant();
    const own = (method: string, body?: unknown) => service.rest(method, PATH, body, adminToken);
    expect(await own('GET')).toMatchObject({ status: 200, body: { version: 1, attributes: [] } });
    const answer = await own('PUT', { version: 1, attributes: ATTRIBUTES });
    expect(answer).toMatchObject({ status: 200, body: { version: 2, attributes: ATTRIBUTES } });
    expect((await own('GET')).body).toEqual(answer.body);
    expect(await own('PUT', { version: 1, attributes: [] })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    });
    expect((await recorded({ db: service.db, clientId }, clientId)).at(-1)).toMatchObject({
      operation: 'AccountAttributeAdminService.UpdateAccountAttributes',
      before: { attributes: [] },
    });
  });

  test.each([
    [[{ name: 'createdAt', type: 'STRING' }], "attributes[0].name 'createdAt' is reserved: choose another name."],
    [
      [{ name: 'a', type: 'STRING', required: true }],
      'attributes[0].required is for events: accounts exist without the attribute. Leave it out.',
    ],
  ])('%j is refused', async (attributes, message) => {
    expect(await declare(attributes)).toMatchObject({ status: 400, body: { message } });
  });

  test('keeps what an expression uses', async () => {
    const own = await service.newTenant();
    const put = async (attributes: readonly object[]) => {
      const { version } = (await service.rest('GET', PATH, undefined, own.adminToken)).body;
      return service.rest('PUT', PATH, { version, attributes }, own.adminToken);
    };
    await put(ATTRIBUTES);
    await newGame(service, {
      adminToken: own.adminToken,
      missions: [{ name: 'Gold', conditions: { expression: 'account.tier == "GOLD"' } }],
    });
    const refused = await put(ATTRIBUTES.slice(1));
    expect(refused).toMatchObject({ status: 409, body: { code: 'ATTRIBUTE_IN_USE' } });
    expect(refused.body.message).toContain("account.tier of campaign 'Campaign");
    expect(await put(ATTRIBUTES.slice(0, 1))).toMatchObject({ status: 200 });
  });
});

describe('the attributes of an account', () => {
  test('are stored in their normal form and merged by name; null removes one', async () => {
    const created = await newAccount({ tier: 'GOLD', visits: 2.5, birthday: '2001-02-03T04:05:06+01:00', tags: [] });
    const stored = { tier: 'GOLD', visits: 2.5, birthday: '2001-02-03T03:05:06.000Z', tags: [] };
    expect(created.attributes).toEqual(stored);
    const path = `/accounts/${created.id}`;
    expect((await app('GET', path)).body.attributes).toEqual(stored);
    const changed = await ok(app('PATCH', path, { attributes: { visits: 3, tags: null } }));
    expect(changed.attributes).toEqual({ tier: 'GOLD', visits: 3, birthday: stored.birthday });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt));
    const again = await ok(app('PATCH', path, { attributes: { visits: 3 } }));
    expect(again).toEqual(changed);
    expect(await ok(app('PATCH', path, { name: 'Ada' }))).toMatchObject({
      name: 'Ada',
      attributes: changed.attributes,
    });
    const cleared = await ok(app('PATCH', path, { attributes: null }));
    expect(cleared).not.toHaveProperty('attributes');
  });

  test('are absent from an account without any', async () => {
    expect(await newAccount()).not.toHaveProperty('attributes');
    expect(await newAccount({})).not.toHaveProperty('attributes');
  });

  test.each([
    [{ color: 'red' }, "attributes has no attribute 'color'. Declared are: tier, visits, isStaff, birthday, tags."],
    [{ tier: 'BRONZE' }, "attributes.tier 'BRONZE' is not allowed. Send one of SILVER, GOLD."],
    [{ visits: -1 }, 'attributes.visits must be a number from 0 to 1000000000.'],
  ])('%j is refused by each operation', async (attributes, message) => {
    const { id } = await newAccount();
    expect(await app('POST', '/accounts', { attributes })).toMatchObject({ status: 400, body: { message } });
    expect(await app('PATCH', `/accounts/${id}`, { attributes })).toMatchObject({ status: 400, body: { message } });
  });

  test('are written and read over gRPC', async () => {
    const client = createClient(AccountService, createGrpcTransport({ baseUrl: service.baseUrl }));
    const headers = { authorization: `Bearer ${tenant.apiKey}` };
    const { account } = await client.createAccount({ attributes: { tier: 'GOLD' } }, { headers });
    expect(account!.attributes).toEqual({ tier: 'GOLD' });
    const change = { id: account!.id, idType: Account_IdType.INTERNAL, account: { attributes: { visits: 1 } } };
    expect((await client.updateAccount(change, { headers })).account!.attributes).toEqual({ tier: 'GOLD', visits: 1 });
    const masked = { ...change, account: {}, updateMask: { paths: ['attributes'] } };
    expect((await client.updateAccount(masked, { headers })).account!.attributes).toBeUndefined();
  });

  test('are not those of another client', async () => {
    const other = await service.newTenant();
    const answer = await service.rest('POST', '/accounts', { attributes: { tier: 'GOLD' } }, other.apiKey);
    expect(answer).toMatchObject({
      status: 400,
      body: { message: "attributes has no attribute 'tier': none is declared." },
    });
  });

  test('filter and order a list', async () => {
    const own = await service.newTenant();
    await service.rest('PUT', PATH, { version: 1, attributes: ATTRIBUTES }, own.adminToken);
    const create = (externalId: string, attributes?: object) =>
      ok(service.rest('POST', '/accounts', { externalId, attributes }, own.apiKey));
    await create('a', { tier: 'GOLD', visits: 9, isStaff: true });
    await create('b', { tier: 'SILVER', visits: 10 });
    await create('c', { tier: 'GOLD', visits: 100, birthday: '2000-01-01T00:00:00Z' });
    await create('d');
    const names = async (query: Record<string, string>) => {
      const parameters = new URLSearchParams({ page: '1', limit: '10', ...query });
      const { body } = await service.rest('GET', `/accounts/paginated?${parameters}`, undefined, own.apiKey);
      return body.rows?.map(({ externalId }: { externalId: string }) => externalId).join('') ?? body.message;
    };
    const by = (field: string, value: unknown) => ({ filters: JSON.stringify({ filters: [{ field, value }] }) });
    expect(await names(by('attributes.tier', 'GOLD'))).toBe('ac');
    expect(await names(by('attributes.visits', 10))).toBe('b');
    expect(await names(by('attributes.isStaff', true))).toBe('a');
    expect(await names(by('attributes.birthday', '2000-01-01T00:00:00Z'))).toBe('c');
    expect(await names({ orderBy: 'attributes.visits' })).toBe('abcd');
    expect(await names({ orderBy: 'attributes.visits desc' })).toBe('cbad');
    expect(await names(by('attributes.color', 'red'))).toContain('attributes.tier, attributes.visits');
    expect(await names({ orderBy: 'attributes.tags' })).toContain('attributes.tier');
  });

  test('go when the account is erased', async () => {
    const { id } = await newAccount({ birthday: '2000-01-01T00:00:00Z' });
    await app('POST', `/accounts/${id}/erase`);
    const rows = await listed({
      filters: JSON.stringify({ filters: [{ field: 'id', value: id }], includeDeleted: true }),
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).not.toHaveProperty('attributes');
  });
});

test('an expression reads the attributes of an account as they are when an event is applied, and the simulator names them', async () => {
  const { audienceId: _, missionIds } = await newGame(service, {
    adminToken: tenant.adminToken,
    missions: [{ target: 100, conditions: { expression: 'account.tier == "GOLD" && account.visits >= 2' } }],
  });
  const { id } = await newAccount({ tier: 'SILVER', visits: 1 });
  const event = { programmaticCode: 'LOGIN', accountId: id, idType: 'INTERNAL' };
  const emit = async () => (await app('POST', '/gamification/triggers', event)).body.progressedMissions.length;
  const explained = async () => {
    const { body } = await app('POST', '/gamification/triggers/simulate', event);
    return body.find(({ missionId }: { missionId: string }) => missionId === missionIds[0]).explanation;
  };
  expect(await emit()).toBe(0);
  expect(await explained()).toContain('account.tier is "SILVER", needed "GOLD".');
  await app('PATCH', `/accounts/${id}`, { attributes: { tier: 'GOLD' } });
  expect(await explained()).toContain('account.visits is 1, needed at least 2.');
  await app('PATCH', `/accounts/${id}`, { attributes: { visits: 2 } });
  expect(await emit()).toBe(1);
  await app('PATCH', `/accounts/${id}`, { attributes: { tier: null } });
  expect(await explained()).toContain('account.tier is missing.');
  expect(await emit()).toBe(0);
});
