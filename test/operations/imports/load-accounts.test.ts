import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { accounts, createImport, ended, load, refusals, upload } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function newAudience(name: string, kind = 'MANUAL'): Promise<string> {
  return (await service.rest('POST', '/admin/audiences', { name, kind })).body.id;
}

async function members(audienceId: string): Promise<string[]> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    const rows = await uow.query<{ external_id: string }>(
      `select a.external_id from audience_member m join account a on a.client_id = m.client_id and a.id = m.account_id
        where m.client_id = $1 and m.audience_id = $2 order by 1`,
      [service.clientId, audienceId],
    );
    return rows.map((row) => row.external_id);
  });
}

test('a file creates accounts with their attributes and puts them into audiences by name and id', async () => {
  const gold = await newAudience('Gold');
  const silver = await newAudience('Silver');
  const file = `externalId,email,name,timeZone,audience
a-1,ada@example.com,Ada,europe/madrid,Gold
a-2,,"Grace ""Amazing"" Hopper",,${silver}
a-3,,,,
`;
  expect(await load(service, file)).toMatchObject({
    status: 'DONE',
    rowsTotal: 3,
    rowsRead: 3,
    rowsCreated: 3,
    rowsRefused: 0,
    bytes: Buffer.byteLength(file),
  });
  const stored = await accounts(service);
  expect(stored.get('a-1')).toMatchObject({ email: 'ada@example.com', name: 'Ada', time_zone: 'Europe/Madrid' });
  expect(stored.get('a-2')).toMatchObject({ email: null, name: 'Grace "Amazing" Hopper', time_zone: null });
  expect([await members(gold), await members(silver)]).toEqual([['a-1'], ['a-2']]);
});

test('a file that changes the zone of an account is remembered as a change, the last 32 of them', async () => {
  const zoned = (zone: string) => load(service, `externalId,name,timeZone\nzoned,Ada,${zone}\n`);
  const past = async () => {
    const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ past_zones: Array<{ timeZone?: string; until: number }> | null }>(
        `select past_zones from account where client_id = $1 and external_id = 'zoned'`,
        [service.clientId],
      ),
    );
    return row!.past_zones;
  };
  await zoned('');
  await zoned('');
  expect(await past()).toBeNull();
  const begun = Date.now();
  await zoned('Europe/Madrid');
  await zoned('');
  const [first, ...others] = (await past())!;
  expect([first, others]).toEqual([{ until: expect.any(Number) }, []]);
  expect(first!.until).toBeGreaterThanOrEqual(begun - 2_000);
  await zoned('UTC');
  expect(await past()).toMatchObject([{ until: first!.until }, { timeZone: 'Europe/Madrid' }]);
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `update account set past_zones = (select jsonb_agg(jsonb_build_object('until', n, 'timeZone', 'UTC')) from generate_series(1, 32) n)
        where client_id = $1 and external_id = 'zoned'`,
      [service.clientId],
    ),
  );
  await zoned('Asia/Tokyo');
  const full = (await past())!;
  expect([full.length, full[0]!.until, full.at(-1)!.timeZone]).toEqual([32, 2, 'UTC']);
});

test('the same file twice changes nothing', async () => {
  await newAudience('Twice');
  const file = 'externalId,name,timeZone,audience\nt-1,Ada,europe/madrid,Twice\nt-1,Another,,\nt-2,,,\n';
  expect(await load(service, file)).toMatchObject({ rowsCreated: 2, rowsRefused: 1 });
  const before = await accounts(service);
  expect(await load(service, file)).toMatchObject({
    status: 'DONE',
    rowsCreated: 0,
    rowsUpdated: 0,
    rowsUnchanged: 2,
    rowsRefused: 1,
  });
  expect(await accounts(service)).toEqual(before);
});

test('a cell changes an account, an empty one and a missing column leave it as it is', async () => {
  await load(service, 'externalId,name,email\nc-1,Ada,ada@example.com\nc-2,Bob,bob@example.com\n');
  expect(await load(service, 'externalId,name\nc-1,Ada Lovelace\nc-2,\n')).toMatchObject({
    rowsUpdated: 1,
    rowsUnchanged: 1,
  });
  const stored = await accounts(service);
  expect(stored.get('c-1')).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
  expect(stored.get('c-2')).toMatchObject({ name: 'Bob', email: 'bob@example.com' });
});

test('every account of a file joins the audience of the import, which counts as an update', async () => {
  const everyRow = await newAudience('Every row');
  const own = await newAudience('Own');
  await load(service, 'externalId\ne-1\n');
  const file = 'externalId,audience\ne-1,\ne-2,Own\n';
  expect(await load(service, file, { audienceId: everyRow })).toMatchObject({ rowsCreated: 1, rowsUpdated: 1 });
  expect([await members(everyRow), await members(own)]).toEqual([['e-1', 'e-2'], ['e-2']]);
  expect(await load(service, file, { audienceId: everyRow })).toMatchObject({ rowsUnchanged: 2 });
});

test('an audience that is unknown, everybody or ambiguous refuses the row, and nothing of it is stored', async () => {
  await newAudience('All', 'EVERYONE');
  await newAudience('Namesake');
  await newAudience('Namesake');
  const file = `externalId,audience\nu-1,Nowhere\nu-2,All\nu-3,Namesake\nu-4,${randomUUID()}\nu-5,\n`;
  const { id, ...report } = await load(service, file);
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 1, rowsRefused: 4, rowsRead: 5 });
  const [first, second, third] = await refusals(service, id);
  expect(first).toEqual(['2', 'u-1', expect.stringContaining("There is no audience 'Nowhere'")]);
  expect(second?.[2]).toContain("There is no audience 'All' with members of its own");
  expect(third?.[2]).toContain('Several audiences');
  expect([...(await accounts(service)).keys()].filter((each) => each.startsWith('u-'))).toEqual(['u-5']);
});

test('a row whose externalId stands in an earlier one is refused, whatever batch it is in', async () => {
  const rows = Array.from({ length: 12_000 }, (_, row) => `d-${row},first`);
  rows.push('d-3,second', 'd-11999,second', 'd-3,third');
  const { id, ...report } = await load(service, `externalId,name\n${rows.join('\n')}\n`);
  expect(report).toMatchObject({ status: 'DONE', rowsCreated: 12_000, rowsRefused: 3, rowsTotal: 12_003 });
  expect(await refusals(service, id)).toEqual([
    ['12002', 'd-3', 'Its externalId stands in line 5 already.'],
    ['12003', 'd-11999', 'Its externalId stands in line 12001 already.'],
    ['12004', 'd-3', 'Its externalId stands in line 5 already.'],
  ]);
  const stored = await accounts(service);
  expect([...stored].filter(([key, { name }]) => key.startsWith('d-') && name !== 'first')).toEqual([]);
});

test('a value that the API would refuse refuses its row, with the line and the reason', async () => {
  const file = [
    'externalId,email,name,timeZone',
    ',,,',
    ',a@example.com,Nameless,',
    `${'x'.repeat(256)},,,`,
    `v-1,${'e'.repeat(321)},,`,
    'v-2,,,Mars/Olympus',
    'v-3,,a\0b,',
    'v-4,,,',
  ].join('\n');
  const { id, ...report } = await load(service, file);
  expect(report).toMatchObject({ status: 'DONE', rowsTotal: 6, rowsCreated: 1, rowsRefused: 5 });
  const refused = await refusals(service, id);
  expect(refused.map(([line]) => line)).toEqual(['3', '4', '5', '6', '7']);
  expect(refused.map(([, , reason]) => reason)).toEqual([
    expect.stringContaining('empty'),
    expect.stringContaining('256 characters'),
    expect.stringContaining('321 characters'),
    expect.stringContaining('Mars/Olympus'),
    expect.stringContaining('NUL'),
  ]);
});

test('a compressed file is loaded as it is when unpacked', async () => {
  const { id, uploadPath } = await createImport(service);
  const file = 'externalId\nz-1\nz-2\n';
  const sent = await upload(service, uploadPath, new Uint8Array(gzipSync(file)), {
    headers: { 'content-encoding': 'gzip' },
  });
  expect(sent).toMatchObject({ status: 200, body: { bytes: file.length } });
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 2 });
});
