import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { encoded, errorBody, filters, startContractService } from './support/contract-service.ts';

let service: TestService;
let ids: Record<string, string>;

/** The accounts for the searches: by name, e-mail and external id. */
const people = [
  ['Ada Lovelace', 'ada@example.com', 'user-1'],
  ['ada', 'ADA@EXAMPLE.ORG', 'user-10'],
  ['Grace Hopper', undefined, 'user-2'],
  [undefined, 'grace@example.com', undefined],
  ['100%_sure', undefined, 'under_score'],
  ['100 per cent', undefined, 'underXscore'],
  ['back\\slash', undefined, 'back-slash'],
] as const;

beforeAll(async () => {
  service = await startContractService();
  ids = {};
  for (const [name, email, externalId] of people) {
    const { body } = await service.rest('POST', '/accounts', { name, email, externalId });
    ids[name ?? 'nameless'] = body.id;
  }
});
afterAll(() => service.close());

const LIST = '/accounts/paginated';
const get = (query: string, path = LIST) => service.rest('GET', `${path}?${query}`);

/** The names of the accounts that a filter finds. */
async function found(filter: unknown): Promise<string[]> {
  const answer = await get(`page=1&limit=100&filters=${encoded(filter)}`);
  expect(answer.body, JSON.stringify(filter)).toMatchObject({ page: 1 });
  return answer.body.rows.map((row: { name?: string }) => row.name ?? 'nameless');
}
const where = (field: string, value: unknown) => found({ filters: [{ field, value }] });

describe('a page', () => {
  test('has the documented envelope', async () => {
    const { status, body } = await get('page=2&limit=3');
    expect(status).toBe(200);
    expect(body).toEqual({
      rows: [expect.anything(), expect.anything(), expect.anything()],
      next: true,
      previous: true,
      page: 2,
      perPage: 3,
      totalPages: 3,
      totalRows: 7,
    });
  });

  test('at the end has no next one, and beyond it no rows', async () => {
    expect((await get('page=3&limit=3')).body).toMatchObject({ rows: [{}], next: false, previous: true });
    expect((await get('page=9&limit=3')).body).toMatchObject({ rows: [], next: false, totalRows: 7, totalPages: 3 });
    expect((await get('page=1&limit=7')).body).toMatchObject({ next: false, previous: false, totalPages: 1 });
  });

  test('after page while next is true gives every row once', async () => {
    const seen: string[] = [];
    for (let page = 1, next = true; next; page += 1) {
      const { body } = await get(`page=${page}&limit=2`);
      seen.push(...body.rows.map((row: { id: string }) => row.id));
      next = body.next;
    }
    expect(seen.toSorted()).toEqual(Object.values(ids).toSorted());
  });

  test('of nothing has no pages', async () => {
    const none = await get(`page=1&limit=10&filters=${filters(['externalId', ['nobody']])}`);
    expect(none.body).toMatchObject({ rows: [], next: false, previous: false, totalPages: 0, totalRows: 0 });
  });
});

describe.each([LIST, '/marketplace/publications/published/paginated', '/admin/audiences/paginated'])('%s', (path) => {
  test.each([
    ['no page', 'limit=10'],
    ['no limit', 'page=1'],
    ['neither', ''],
    ['an empty page', 'page=&limit=10'],
    ['page=0', 'page=0&limit=10'],
    ['page=-1', 'page=-1&limit=10'],
    ['page=1.5', 'page=1.5&limit=10'],
    ['page=one', 'page=one&limit=10'],
    ['page=99999999999', 'page=99999999999&limit=10'],
    ['limit=0', 'page=1&limit=0'],
    ['limit=1001', 'page=1&limit=1001'],
    ['limit=1e3', 'page=1&limit=1e3'],
    ['limit=0x10', 'page=1&limit=0x10'],
    ['two pages', 'page=1&page=2&limit=10'],
  ])('with %s is a 400', async (_what, query) => {
    expect(await get(query, path)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /page|limit/) });
  });

  test('takes a limit of 1 to 1000', async () => {
    for (const limit of [1, 1000]) {
      expect((await get(`page=1&limit=${limit}`, path)).body).toMatchObject({ perPage: limit });
    }
  });
});

describe('a condition', () => {
  test('on text with a string matches a part, whatever its case', async () => {
    expect(await where('name', 'ADA')).toEqual(['Ada Lovelace', 'ada']);
    expect(await where('name', 'lace')).toEqual(['Ada Lovelace']);
    expect(await where('email', '@example.')).toEqual(['Ada Lovelace', 'ada', 'nameless']);
    expect(await where('externalId', 'USER-1')).toEqual(['Ada Lovelace', 'ada']);
  });

  test('takes % and _ and \\ for themselves', async () => {
    expect(await where('name', '%')).toEqual(['100%_sure']);
    expect(await where('name', '0%')).toEqual(['100%_sure']);
    expect(await where('externalId', 'under_')).toEqual(['100%_sure']);
    expect(await where('name', '\\')).toEqual(['back\\slash']);
  });

  test('on text with an array matches any of its values exactly', async () => {
    expect(await where('name', ['ada'])).toEqual(['ada']);
    expect(await where('name', ['Ada'])).toEqual([]);
    expect(await where('name', ['ada', 'Grace Hopper'])).toEqual(['ada', 'Grace Hopper']);
    expect(await where('name', [])).toEqual([]);
    expect(await where('name', ['ada', null])).toEqual(['ada', 'nameless']);
  });

  test('on another column compares exactly', async () => {
    const { body } = await get('page=1&limit=1');
    const [first] = body.rows;
    expect(await where('id', first.id)).toEqual(['Ada Lovelace']);
    expect(await where('id', [first.id, ids['ada']])).toEqual(['Ada Lovelace', 'ada']);
    expect(await where('createdAt', first.createdAt)).toContain('Ada Lovelace');
    expect(await where('createdAt', '2001-01-01')).toEqual([]);
  });

  test('of null matches absence', async () => {
    expect(await where('name', null)).toEqual(['nameless']);
    expect(await where('email', null)).toHaveLength(4);
    expect(await where('createdAt', null)).toEqual([]);
  });

  test('and another must both hold, or either with matchAll false', async () => {
    const both = [
      { field: 'name', value: 'ada' },
      { field: 'externalId', value: ['user-2'] },
    ];
    expect(await found({ filters: both })).toEqual([]);
    expect(await found({ filters: both, matchAll: true })).toEqual([]);
    expect(await found({ filters: both, matchAll: false })).toEqual(['Ada Lovelace', 'ada', 'Grace Hopper']);
  });

  test('is needed by no filter', async () => {
    for (const filter of [{}, { filters: [] }, { filters: [], matchAll: false }]) {
      expect(await found(filter)).toHaveLength(7);
    }
  });

  test('cannot be a range or a negation', async () => {
    for (const value of [{ gte: 'a' }, { not: 'ada' }, { $ne: null }]) {
      const answer = await get(`page=1&limit=10&filters=${filters(['name', value])}`);
      expect(answer).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
    }
    expect(
      await get(`page=1&limit=10&filters=${encoded({ filters: [{ field: 'name', value: 'a', operator: '>' }] })}`),
    ).toMatchObject({ status: 400 });
  });
});

test('includeDeleted also gives logically deleted accounts', async () => {
  const { body } = await service.rest('POST', '/accounts', { externalId: 'gone' });
  await service.rest('DELETE', `/accounts/${body.id}`);
  const gone = [{ field: 'externalId', value: ['gone'] }];
  expect(await found({ filters: gone })).toEqual([]);
  expect(await found({ filters: gone, includeDeleted: false })).toEqual([]);
  const list = await get(`page=1&limit=10&filters=${encoded({ filters: gone, includeDeleted: true })}`);
  expect(list.body.rows).toMatchObject([{ id: body.id, deletedAt: expect.any(String) }]);
});

describe('the message of a number at fault names its own bounds', () => {
  test.each([
    ['page=first&limit=10', /"page" must be an integer from 1, not "first"/],
    ['page=1&limit=ten', /"limit" must be an integer from 1 to 1000, not "ten"/],
  ])('%s', async (query, message) => {
    expect(await get(query)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', message) });
  });
});

describe('filters at fault are a 400', () => {
  const nested = `${'{"filters":['.repeat(100)}${']}'.repeat(100)}`;
  const deepValue = `{"filters":[{"field":"name","value":${'['.repeat(100)}${']'.repeat(100)}}]}`;
  const conditions = Array.from({ length: 51 }, () => ({ field: 'name', value: 'a' }));
  test.each([
    ['no JSON', '{filters}', /JSON/],
    ['half of a JSON', '{"filters":[', /JSON/],
    ['filters.filters that is an object', '{"filters":{"field":"name"}}', /filters/],
    ['filters.filters that is text', '{"filters":"name"}', /filters/],
    ['filters.filters that is null', '{"filters":null}', /filters must be an array, not null/],
    ['an array', '[]', /./],
    ['null', 'null', /./],
    ['a condition that is text', '{"filters":["name"]}', /./],
    ['a condition without a field', '{"filters":[{"value":"x"}]}', /field/],
    [
      'a field that is not filterable',
      '{"filters":[{"field":"timeZone","value":"UTC"}]}',
      /id, email, name, externalId, createdAt/,
    ],
    [
      'an inherited field',
      '{"filters":[{"field":"constructor","value":"x"}]}',
      /id, email, name, externalId, createdAt/,
    ],
    ['an id that is no UUID', '{"filters":[{"field":"id","value":"1"}]}', /UUID/],
    ['a date that is no date', '{"filters":[{"field":"createdAt","value":"yesterday"}]}', /date/],
    ['a day that the calendar lacks', '{"filters":[{"field":"createdAt","value":"2026-02-30"}]}', /date/],
    ['an unknown key', '{"filters":[],"colour":"red"}', /colour/],
    ['matchAll that is text', '{"filters":[],"matchAll":"no"}', /matchAll/],
    ['filters nested 100 deep', nested, /./],
    ['a value nested 100 deep', deepValue, /./],
    ['51 conditions', JSON.stringify({ filters: conditions }), /50/],
    ['1,001 values', JSON.stringify({ filters: [{ field: 'name', value: Array(1001).fill('a') }] }), /1000|1,000/],
    ['a NUL character', '{"filters":[{"field":"name","value":"\\u0000"}]}', /NUL/],
  ])('%s', async (_what, text, message) => {
    const answer = await get(`page=1&limit=10&filters=${encodeURIComponent(text)}`);
    expect(answer).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', message) });
  });

  test('an enum value in lower case; the message lists the words', async () => {
    const wrong = filters(['kind', 'manual']);
    const answer = await get(`page=1&limit=10&filters=${wrong}`, '/admin/audiences/paginated');
    expect(answer).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST', /MANUAL, EVERYONE/) });
  });
});
