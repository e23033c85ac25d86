import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';
import { download, load, refusals } from './files.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await declare([
    { name: 'tier', type: 'STRING', allowedValues: ['SILVER', 'GOLD'] },
    { name: 'visits', type: 'NUMBER', min: -10 },
    { name: 'isStaff', type: 'BOOLEAN' },
    { name: 'birthday', type: 'TIMESTAMP', personal: true },
    { name: 'tags', type: 'STRING_LIST' },
    { name: 'note', type: 'STRING' },
  ]);
});
afterAll(() => service.close());

async function declare(attributes: readonly object[], { adminToken }: Tenant = tenant) {
  const path = '/admin/account-attributes';
  const { version } = await ok(service.rest('GET', path, undefined, adminToken));
  return ok(service.rest('PUT', path, { version, attributes }, adminToken));
}

const loaded = (file: string, of: Tenant = tenant) => load(service, file, {}, of);
const attributesOf = async (externalId: string, { apiKey }: Tenant = tenant) =>
  (await ok(service.rest('GET', `/accounts/${externalId}?idType=EXTERNAL`, undefined, apiKey))).attributes;
const reasons = async (id: string) => (await refusals(service, id, tenant.adminToken)).map(([, , reason]) => reason);

test('a file brings attributes of every type, and their forms in spreadsheets', async () => {
  const report = await loaded(
    [
      'externalId,attributes.tier,Attributes.visits,attributes.isStaff,attributes.birthday,attributes.tags',
      'all-1,GOLD,-1.5,TRUE,1990-04-30T02:00:00+02:00,"[""vegan"",""a;=b""]"',
      'all-2,,1e3,false,,[]',
      'all-3,,,,,',
    ].join('\n'),
  );
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 3, rowsRefused: 0 });
  expect(await attributesOf('all-1')).toEqual({
    tier: 'GOLD',
    visits: -1.5,
    isStaff: true,
    birthday: '1990-04-30T00:00:00.000Z',
    tags: ['vegan', 'a;=b'],
  });
  expect(await attributesOf('all-2')).toEqual({ visits: 1_000, isStaff: false, tags: [] });
  expect(await attributesOf('all-3')).toBeUndefined();
});

test('a cell changes its attribute alone; an empty cell and a missing column leave theirs', async () => {
  await loaded('externalId,attributes.tier,attributes.visits\nkeep-1,GOLD,4\nkeep-2,GOLD,4\n');
  const file = 'externalId,attributes.tier,attributes.note\nkeep-1,,new\nkeep-2,GOLD,\n';
  expect(await loaded(file)).toMatchObject({ rowsUpdated: 1, rowsUnchanged: 1 });
  expect(await attributesOf('keep-1')).toEqual({ tier: 'GOLD', visits: 4, note: 'new' });
  expect(await attributesOf('keep-2')).toEqual({ tier: 'GOLD', visits: 4 });
  expect(await loaded(file)).toMatchObject({ rowsUpdated: 0, rowsUnchanged: 2 });
});

test('a value that does not fit refuses its row in words, and the row has no effect', async () => {
  const { id, ...report } = await loaded(
    [
      'externalId,name,attributes.tier,attributes.visits,attributes.isStaff,attributes.birthday,attributes.tags',
      'bad-1,A,BRONZE,,,,',
      'bad-2,A,,many,,,',
      'bad-3,A,,-11,,,',
      'bad-4,A,,,yes,,',
      'bad-5,A,,,,1990-04-30,',
      'bad-6,A,,,,,vegan',
      'bad-7,A,,,,,"[1]"',
      'good,A,GOLD,,,,',
    ].join('\n'),
  );
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 1, rowsRefused: 7 });
  expect(await reasons(id)).toEqual([
    `"attributes.tier 'BRONZE' is not allowed. Send one of SILVER, GOLD."`,
    'attributes.visits must be a number.',
    'attributes.visits must be a number from -10 to 1000000000.',
    'attributes.isStaff must be true or false.',
    expect.stringContaining('attributes.birthday must be a moment such as'),
    expect.stringContaining('attributes.tags must be a list in JSON'),
    'attributes.tags must be a list of at most 32 texts of at most 255 characters.',
  ]);
  const gone = await service.rest('GET', '/accounts/bad-1?idType=EXTERNAL', undefined, tenant.apiKey);
  expect(gone).toMatchObject({ status: 404 });
});

test('the text undefined is no missing value: it refuses its row, unless the attribute takes it', async () => {
  const { id, ...report } = await loaded(
    [
      'externalId,attributes.tier,attributes.visits,attributes.note',
      'text-1,undefined,,',
      'text-2,,undefined,',
      'text-3,,,undefined',
    ].join('\n'),
  );
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 1, rowsRefused: 2 });
  expect(await reasons(id)).toEqual([
    `"attributes.tier 'undefined' is not allowed. Send one of SILVER, GOLD."`,
    'attributes.visits must be a number.',
  ]);
  expect(await attributesOf('text-3')).toEqual({ note: 'undefined' });
});

test('an undeclared attribute fails the file before any row, whatever separates its columns, and the message lists what is declared', async () => {
  for (const separator of [',', ';', '\t']) {
    const file = `attributes.Tier,externalId\nGOLD,undeclared-1\n`.replaceAll(',', separator);
    expect(await loaded(file)).toMatchObject({
      status: 'FAILED',
      rowsRead: 0,
      error:
        'The column attributes.Tier is no attribute of accounts. Declared are: tier, visits, isStaff, birthday, tags, note. Declare it, or remove the column.',
    });
  }
  const stranger = await service.newTenant();
  expect(await loaded('externalId,attributes.tier\nstranger-1,\n', stranger)).toMatchObject({
    status: 'FAILED',
    error:
      'The column attributes.tier is no attribute of accounts: none is declared. Declare it, or remove the column.',
  });
  const twice = await loaded('externalId,attributes.tier, attributes.tier\ntwice-1,GOLD,GOLD\n');
  expect(twice).toMatchObject({ status: 'FAILED', error: expect.stringContaining('attributes.tier is there twice') });
});

test('attributes that together have too many bytes refuse the row, and the account joins no audience by it', async () => {
  const own = await service.newTenant();
  const names = Array.from({ length: 32 }, (_, index) => `text${index}`);
  await declare(
    names.map((name) => ({ name, type: 'STRING' })),
    own,
  );
  const columns = (from: number, to: number) => names.slice(from, to).map((name) => `attributes.${name}`);
  const cells = Array.from({ length: 29 }, () => 'x'.repeat(255));
  const first = `externalId,${columns(0, 29).join(',')}\nlarge-1,${cells.join(',')}\n`;
  expect(await loaded(first, own)).toMatchObject({ rowsCreated: 1 });
  const { id: audienceId } = await ok(
    service.rest('POST', '/admin/audiences', { name: 'Large', kind: 'MANUAL' }, own.adminToken),
  );
  const second = `externalId,${columns(29, 32).join(',')}\nlarge-1,${cells.slice(0, 3).join(',')}\nlarge-2,a,,\n`;
  const { id, ...report } = await load(service, second, { audienceId }, own);
  expect(report).toMatchObject({ rowsCreated: 1, rowsUpdated: 0, rowsUnchanged: 0, rowsRefused: 1 });
  const [refused] = await refusals(service, id, own.adminToken);
  expect(refused?.[2]).toMatch(/attributes has \d+ bytes, at most 8192 are allowed/);
  const text = await download(service, `/admin/exports/accounts.csv?audienceId=${audienceId}`, own.adminToken);
  expect(text.match(/large-\d/g)).toEqual(['large-2']);
});

test('an export has the declared attributes, and an import of it changes nothing', async () => {
  const own = await service.newTenant();
  const attributes = [
    { name: 'tier', type: 'STRING' },
    { name: 'visits', type: 'NUMBER' },
    { name: 'isStaff', type: 'BOOLEAN' },
    { name: 'birthday', type: 'TIMESTAMP', personal: true },
    { name: 'tags', type: 'STRING_LIST' },
  ];
  await declare(attributes, own);
  const values = {
    tier: '=1+2',
    visits: -0.5,
    isStaff: false,
    birthday: '1990-04-30T00:00:00.000Z',
    tags: ['a;=b', '"'],
  };
  await ok(service.rest('POST', '/accounts', { externalId: 'out-1', attributes: values }, own.apiKey));
  await ok(service.rest('POST', '/accounts', { externalId: 'out-2' }, own.apiKey));
  const text = await download(service, '/admin/exports/accounts.csv', own.adminToken);
  const [head, first, second] = text.split('\r\n');
  expect(head).toBe(
    '\uFEFFid,externalId,email,name,timeZone,audience,createdAt,attributes.tier,attributes.visits,attributes.isStaff,attributes.birthday,attributes.tags',
  );
  expect(first).toContain(`Z,'=1+2,-0.5,false,1990-04-30T00:00:00.000Z,"[""a;'=b"",""\\""""]"`);
  expect(second).toMatch(/Z,,,,,$/);
  const unchanged = { status: 'DONE', rowsUnchanged: 2, rowsTotal: 2 };
  expect(await loaded(text, own)).toMatchObject(unchanged);
  const copy = await service.newTenant();
  await declare(attributes, copy);
  expect(await loaded(text, copy)).toMatchObject({ status: 'DONE', rowsCreated: 2 });
  expect(await attributesOf('out-1', copy)).toEqual(values);
});

test('an export loads again without a change after the declarations have changed, and a value of an earlier type is missing in it', async () => {
  const own = await service.newTenant();
  const tier = { name: 'tier', type: 'STRING' };
  const others = ['visits', 'isStaff', 'tags'].map((name) => ({ name, type: 'STRING' }));
  const values = { tier: 'BRONZE', visits: '5', isStaff: 'true', tags: '["a"]' };
  await declare([tier, ...others], own);
  await ok(service.rest('POST', '/accounts', { externalId: 'old-1', attributes: values }, own.apiKey));
  const exported = () => download(service, '/admin/exports/accounts.csv', own.adminToken);
  const unchanged = { status: 'DONE', rowsUnchanged: 1, rowsTotal: 1 };
  for (const types of [
    ['NUMBER', 'BOOLEAN', 'STRING_LIST'],
    ['BOOLEAN', 'STRING_LIST', 'NUMBER'],
    ['STRING_LIST', 'NUMBER', 'BOOLEAN'],
  ]) {
    const retyped = others.map((each, index) => ({ ...each, type: types[index] }));
    await declare([{ ...tier, allowedValues: ['GOLD'] }, ...retyped], own);
    const text = await exported();
    expect(text).toMatch(/Z,BRONZE,,,\r\n$/);
    expect(await loaded(text, own)).toMatchObject(unchanged);
    expect(await attributesOf('old-1', own)).toEqual(values);
  }
  await declare([{ ...tier, allowedValues: ['GOLD'] }, ...others], own);
  expect(await loaded(await exported(), own)).toMatchObject(unchanged);
});
