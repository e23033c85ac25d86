import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUpImports } from '../../../src/imports/worker/clean-up-imports.ts';
import { newTenant, type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { createImport, download, ended, load, upload } from './files.ts';

type Json = RestAnswer['body'];

const DAY_MS = 86_400_000;

let service: TestService;
let audienceId = '';
let points = '';

beforeAll(async () => {
  service = await startService();
  audienceId = (await ok('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' }))['id'];
  points = (await ok('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 }))['id'];
  const { version, name, timeZone } = await ok('GET', `/admin/clients/${service.clientId}`);
  await ok('PUT', `/admin/clients/${service.clientId}`, { version, name, timeZone, backfillDaysMax: 60 });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const HEAD = 'operationId,programmaticCode,accountId,idType,occurredAt,amount';

let codes = 0;

/** A code with a mission of 10 that repeats, for 10 points a round. */
async function newCode(event: Json = {}, mission: Json = {}): Promise<string> {
  codes += 1;
  const programmaticCode = `FILE_${codes}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT', ...event });
  const whole = {
    type: 'MISSION',
    name: programmaticCode,
    programmaticCode,
    target: 10,
    repeat: {},
    rewardIds: [points],
    startsAt: daysAgo(50),
  };
  await ok('POST', '/admin/missions', { audienceId, mission: { ...whole, ...mission } });
  return programmaticCode;
}

const progressOf = async (account: string) =>
  (await ok('GET', `/v1/gamification/missions/progress/${account}?idType=EXTERNAL`)) as Json[];
const pointsOf = async (account: string) =>
  (await ok('GET', `/loyalty/accounts/${account}/points?idType=EXTERNAL`))['available'];

/** The import after its reversal. */
async function reversed(id: string): Promise<Json> {
  await expect
    .poll(async () => (await ok('GET', `/admin/imports/${id}`))['status'], { timeout: 30_000, interval: 20 })
    .toBe('REVERSED');
  return ok('GET', `/admin/imports/${id}`);
}

const stored = async (table: string) =>
  (
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ count: number }>(`select count(*)::int as count from ${table}`),
    )
  )[0]!.count;

test('rows in any order are applied by account and time; faulty ones are refused with their line', async () => {
  const code = await newCode({ attributes: [{ name: 'shop', type: 'STRING' }] });
  const file = `${HEAD},attributes.shop
a2,${code},ada-1,EXTERNAL,${daysAgo(3)},7,Madrid
a1,${code},ada-1,external,${daysAgo(9)},6,
b1,${code},bob-1,EXTERNAL,${daysAgo(5)},4,Berlin
b1,${code},bob-1,EXTERNAL,${daysAgo(4)},4,
x1,NOWHERE,bob-1,EXTERNAL,${daysAgo(5)},4,
x2,${code},bob-1,EXTERNAL,${daysAgo(61)},4,
x3,${code},bob-1,,${daysAgo(5)},4,
x4,${code},bob-1,EXTERNAL,yesterday,4,
x5,${code},bob-1,EXTERNAL,${daysAgo(5)},much,
,${code},bob-1,EXTERNAL,${daysAgo(5)},4,
`;
  const done = await load(service, file, { type: 'EVENTS', rewards: 'ALL' });
  expect(done).toMatchObject({
    status: 'DONE',
    type: 'EVENTS',
    rewards: 'ALL',
    webhooks: false,
    dryRun: false,
    rowsTotal: 10,
    rowsRead: 10,
    rowsCreated: 3,
    rowsUnchanged: 0,
    rowsRefused: 7,
    summary: { applied: 3, counted: 3, missionsCompleted: 1, rewards: [{ rewardId: points, earned: 1, amount: 10 }] },
  });
  const [ada] = await progressOf('ada-1');
  expect(ada).toMatchObject({ progress: 3, completions: 1 });
  expect(await pointsOf('ada-1')).toBe(10);
  const report = await download(service, `/admin/imports/${done['id']}/refusals.csv`);
  const lines = report
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number.parseInt(line, 10));
  expect(lines).toEqual([5, 6, 7, 8, 9, 10, 11]);
  expect(report).toContain('stands in line 4 already');
  expect(report).toContain('NOWHERE');
  const { rows } = await ok('GET', `/admin/journal?programmaticCode=${code}`);
  expect(rows.map(({ attributes }: Json) => attributes?.shop).toSorted()).toEqual(['Berlin', 'Madrid', undefined]);

  const again = await load(service, file, { type: 'EVENTS', rewards: 'ALL' });
  expect(again).toMatchObject({
    rowsCreated: 0,
    rowsUnchanged: 3,
    rowsRefused: 7,
    summary: { applied: 0, replayed: 3 },
  });
  expect(await pointsOf('ada-1')).toBe(10);
  expect(await stored('csv_import_event')).toBe(0);
});

test('a rehearsal tells what the file comes to, and leaves nothing but its sums', async () => {
  const code = await newCode();
  // 250 events of one account, beyond one transaction, and of 300 others.
  const rows = Array.from(
    { length: 250 },
    (_, index) => `m${index},${code},many,EXTERNAL,${daysAgo(20 - index / 100)},1`,
  );
  const others = Array.from({ length: 300 }, (_, index) => `o${index},${code},one-${index},EXTERNAL,${daysAgo(8)},5`);
  const file = [HEAD, ...rows, ...others].join('\n');
  const journal = await stored('journal_batch');
  const rehearsed = await load(service, file, { type: 'EVENTS', rewards: 'POINTS', dryRun: true });
  expect(rehearsed).toMatchObject({
    status: 'DONE',
    dryRun: true,
    rowsCreated: 550,
    rowsRefused: 0,
    summary: { applied: 550, missionsCompleted: 25, rewards: [{ earned: 25, amount: 250 }] },
  });
  expect([await stored('journal_batch'), await stored('csv_import_event')]).toEqual([journal, 0]);
  expect((await service.rest('GET', '/accounts/many?idType=EXTERNAL')).status).toBe(404);
  expect(await service.rest('POST', `/admin/imports/${rehearsed['id']}/reverse`, {})).toMatchObject({
    status: 409,
    body: { code: 'IMPORT_NOT_REVERSIBLE' },
  });

  const done = await load(service, file, { type: 'EVENTS', rewards: 'POINTS' });
  expect(done['summary']).toEqual(rehearsed['summary']);
  expect(await pointsOf('many')).toBe(250);

  // One event is taken back alone before, which the reversal of the import does not take twice.
  const { account } = { account: 'many' };
  await ok('POST', '/gamification/triggers/reversals', { programmaticCode: code, triggerOperationId: 'm7' });
  const { id } = done as { id: string };
  const begun = await ok('POST', `/admin/imports/${id}/reverse`, { reason: 'the wrong file' });
  expect(['REVERSING', 'REVERSED']).toContain(begun['status']);
  expect(await reversed(id)).toMatchObject({ rowsReversed: 549, rowsRefused: 0, rowsCreated: 550 });
  expect(await pointsOf(account)).toBe(0);
  const [progress] = await progressOf(account);
  expect([progress?.['progress'] ?? 0, progress?.['completions'] ?? 0]).toEqual([0, 0]);
  const { rows: entries } = await ok('GET', `/admin/journal?programmaticCode=${code}&effect=REVERSED&limit=1000`);
  expect(entries).toHaveLength(550);
  expect(entries.filter(({ reversal }: Json) => reversal.reason === 'the wrong file')).toHaveLength(549);
  // A repeat changes nothing, and the operations stay known.
  expect((await ok('POST', `/admin/imports/${id}/reverse`, {}))['status']).toBe('REVERSED');
  expect(await load(service, file, { type: 'EVENTS' })).toMatchObject({ rowsCreated: 0, rowsUnchanged: 550 });
});

test('what was cancelled can be taken back, what cannot is refused', async () => {
  const code = await newCode();
  const accounts = await createImport(service);
  const refused = async (id: string) => (await service.rest('POST', `/admin/imports/${id}/reverse`, {})).body.code;
  expect(await refused(accounts.id)).toBe('IMPORT_NOT_REVERSIBLE');
  await ok('POST', `/admin/imports/${accounts.id}/cancel`);
  const waiting = await createImport(service, { type: 'EVENTS' });
  expect(await refused(waiting.id)).toBe('IMPORT_NOT_REVERSIBLE');
  await ok('POST', `/admin/imports/${waiting.id}/cancel`);
  await ok('POST', `/admin/imports/${waiting.id}/reverse`, {});
  expect(await reversed(waiting.id)).toMatchObject({ rowsReversed: 0 });
  const other = await newTenant(service.db);
  expect(await service.rest('POST', `/admin/imports/${waiting.id}/reverse`, {}, other.adminToken)).toMatchObject({
    status: 404,
    body: { code: 'IMPORT_NOT_FOUND' },
  });
  // After 90 days the entries are gone.
  const done = await load(service, `${HEAD}\nlast,${code},cleo,EXTERNAL,${daysAgo(2)},1\n`, { type: 'EVENTS' });
  const entries = await stored('csv_import_entry');
  await cleanUpImports(service.db, service.clientId, new Date(Date.now() + 89 * DAY_MS));
  expect(await stored('csv_import_entry')).toBe(entries);
  await cleanUpImports(service.db, service.clientId, new Date(Date.now() + 91 * DAY_MS));
  expect(await stored('csv_import_entry')).toBe(0);
  expect(done['rowsCreated']).toBe(1);
});

test('the options belong to EVENTS, and a file needs its columns', async () => {
  const create = (body: Json) => service.rest('POST', '/admin/imports', { fileName: 'a.csv', ...body });
  for (const field of [{ rewards: 'ALL' }, { webhooks: true }, { dryRun: true }])
    expect((await create({ type: 'ACCOUNTS', ...field })).status).toBe(400);
  expect((await create({ type: 'EVENTS', audienceId })).status).toBe(400);
  const { id, uploadPath } = await createImport(service, { type: 'EVENTS' });
  await upload(service, uploadPath, 'operationId,programmaticCode,occurredAt\na,b,c\n');
  expect(await ended(service, id)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('The column accountId is missing'),
  });
});
