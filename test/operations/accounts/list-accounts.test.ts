import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;

const people = [
  { externalId: 'u-1', email: 'ana@example.com', name: 'Ana' },
  { externalId: 'u-10', email: 'ÉMILE@example.com', name: 'Émile 100%' },
  { externalId: 'U-2', name: 'ana_maria' },
  { email: 'bob@example.com', name: 'Bob' },
  {},
];

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  for (const person of people) await service.rest('POST', '/accounts', person, tenant.apiKey);
});
afterAll(() => service.close());

function list(query: Record<string, string>, token = tenant.apiKey) {
  return service.rest('GET', `/accounts/paginated?${new URLSearchParams(query)}`, undefined, token);
}

const found = (filters: unknown, more: object = {}) =>
  list({ page: '1', limit: '10', filters: JSON.stringify({ filters, ...more }) });

const names = async (filters: unknown, more: object = {}) =>
  (await found(filters, more)).body.rows.map((row: { name?: string }) => row.name ?? null);

test('gives the accounts in the order of their creation, page by page', async () => {
  const first = await list({ page: '1', limit: '2' });
  expect(first).toMatchObject({
    status: 200,
    body: { next: true, previous: false, page: 1, perPage: 2, totalPages: 3, totalRows: 5 },
  });
  expect(first.body.rows).toMatchObject(people.slice(0, 2));
  const last = await list({ page: '3', limit: '2' });
  expect(last.body).toMatchObject({ next: false, previous: true, page: 3, totalPages: 3, totalRows: 5 });
  expect(last.body.rows).toHaveLength(1);
});

test('false and 0 are written, not left out', async () => {
  const { body } = await list({ page: '1', limit: '1', filters: '{"filters":[{"field":"name","value":"nobody"}]}' });
  expect(body).toEqual({ rows: [], next: false, previous: false, page: 1, perPage: 1, totalPages: 0, totalRows: 0 });
});

describe('conditions', () => {
  test.each([
    ['part of a text, whatever its case', [{ field: 'name', value: 'ANA' }], ['Ana', 'ana_maria']],
    ['letters with accents', [{ field: 'email', value: 'émile' }], ['Émile 100%']],
    ['a literal %', [{ field: 'name', value: '0%' }], ['Émile 100%']],
    ['a literal _', [{ field: 'name', value: 'a_m' }], ['ana_maria']],
    ['a text in an array, exactly', [{ field: 'name', value: ['Ana', 'bob'] }], ['Ana']],
    ['part of an external id', [{ field: 'externalId', value: 'u-1' }], ['Ana', 'Émile 100%']],
    ['a whole external id', [{ field: 'externalId', value: ['u-1'] }], ['Ana']],
    ['absence', [{ field: 'externalId', value: null }], ['Bob', null]],
    ['absence among values', [{ field: 'name', value: ['Bob', null] }], ['Bob', null]],
    ['none of no values', [{ field: 'name', value: [] }], []],
    [
      'all of two',
      [
        { field: 'name', value: 'a' },
        { field: 'email', value: 'ana' },
      ],
      ['Ana'],
    ],
    ['nothing to meet', [], people.map((person) => ('name' in person ? person.name : null))],
  ])('%s', async (_what, filters, expected) => {
    expect(await names(filters)).toEqual(expected);
  });

  test('any of two, with matchAll false', async () => {
    const either = [
      { field: 'name', value: ['Bob'] },
      { field: 'externalId', value: ['u-1'] },
    ];
    expect(await names(either, { matchAll: false })).toEqual(['Ana', 'Bob']);
  });

  test('an id in any case, and the exact moment of creation as the list shows it', async () => {
    const [{ id, createdAt }] = (await list({ page: '1', limit: '1' })).body.rows;
    expect(await names([{ field: 'id', value: id.toUpperCase() }])).toEqual(['Ana']);
    expect(await names([{ field: 'createdAt', value: [createdAt] }])).toContain('Ana');
    expect(await names([{ field: 'createdAt', value: '1999-01-01T00:00:00Z' }])).toEqual([]);
  });
});

describe('what is a 400', () => {
  test.each([
    [{}],
    [{ page: '1' }],
    [{ limit: '1' }],
    [{ page: '0', limit: '1' }],
    [{ page: '-1', limit: '1' }],
    [{ page: '1.5', limit: '1' }],
    [{ page: 'one', limit: '1' }],
    [{ page: '', limit: '1' }],
    [{ page: '1', limit: '0' }],
    [{ page: '1', limit: '1001' }],
    [{ page: '1', limit: '1', filters: 'not json' }],
    [{ page: '1', limit: '1', filters: '[]' }],
    [{ page: '1', limit: '1', filters: '{"filters":{}}' }],
    [{ page: '1', limit: '1', filters: '{"filters":"name"}' }],
    [{ page: '1', limit: '1', filters: '{"filter":[]}' }],
    [{ page: '1', limit: '1', filters: '{"filters":[{"value":"x"}]}' }],
    [{ page: '1', limit: '1', filters: '{"filters":[{"field":"name"}]}' }],
    [{ page: '1', limit: '1', filters: '{"filters":[],"matchAll":"yes"}' }],
    [{ page: '1', limit: '1', filters: '{"filters":[{"field":"name","value":"a\\u0000"}]}' }],
  ])('%j', async (query) => {
    expect(await list(query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { statusCode: 400, code: 'BAD_REQUEST', message: expect.any(String), traceId: expect.any(String) },
    });
  });

  test('a field that cannot be filtered by, with the list of those that can', async () => {
    expect(await found([{ field: 'timeZone', value: 'UTC' }])).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringMatching(/id, email, name, externalId, createdAt/) },
    });
  });

  test('51 conditions', async () => {
    const filters = Array.from({ length: 51 }, () => ({ field: 'name', value: 'a' }));
    expect((await found(filters)).status).toBe(400);
    expect((await found(filters.slice(1))).status).toBe(200);
  });
});

test('deleted accounts are shown on request only, and say so', async () => {
  const own = await service.newTenant();
  const { body } = await service.rest('POST', '/accounts', { externalId: 'gone' }, own.apiKey);
  await service.rest('DELETE', `/accounts/${body.id}`, undefined, own.apiKey);
  expect((await list({ page: '1', limit: '1' }, own.apiKey)).body.totalRows).toBe(0);
  const all = await list({ page: '1', limit: '1', filters: '{"includeDeleted":true}' }, own.apiKey);
  expect(all.body).toMatchObject({ totalRows: 1, rows: [{ id: body.id, deletedAt: expect.any(String) }] });
});

test("another client's accounts are on no page", async () => {
  const other = await service.newTenant();
  expect((await list({ page: '1', limit: '10' }, other.apiKey)).body).toMatchObject({ rows: [], totalRows: 0 });
});
