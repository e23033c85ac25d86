import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import { createImportWorker } from '../../../src/imports/worker/import-worker.ts';
import { type Database, openDatabase } from '../../../src/persistence/database.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { silencingProxy, type SilencingProxy } from '../../support/silencing-proxy.ts';
import { accounts, createImport, ended, upload } from './files.ts';

/** The number of failures in a row after which an import is abandoned; one more attempt records that. */
const FAILURES_MAX = 5;

/** Milliseconds. Times of seconds to hours in production are short here. */
const TIMEOUTS = { lockMs: 100, pauseMs: { min: 20, max: 100 }, giveUpMs: 86_400_000 };

let database: TestDatabase;
/** The database access of the import worker. */
let proxy: SilencingProxy;
let far: Database;
let service: TestService;
let timeouts = TIMEOUTS;
const holders = new Set<pg.Client>();

beforeAll(async () => {
  database = await testDatabase();
  proxy = await silencingProxy(database.url);
  far = await openDatabase({
    url: proxy.url,
    entities,
    poolMax: 5,
    silenceMs: 300,
    acquireTimeoutMs: 900,
    statementTimeoutMs: 2_000,
  });
  service = await startService({
    database,
    importWorker: (_url, machinery) =>
      createImportWorker({
        ...machinery,
        db: far,
        pollMs: 10,
        leaseMs: 500,
        retryMs: 20,
        // Read at each use, so that a test may set shorter times.
        timeouts: {
          ...TIMEOUTS,
          get giveUpMs() {
            return timeouts.giveUpMs;
          },
        },
      }),
  });
});
afterEach(async () => {
  timeouts = TIMEOUTS;
  proxy.refuseNew(false);
  for (const holder of holders) await holder.end();
  holders.clear();
});
afterAll(async () => {
  await service.close();
  await far.close();
  await proxy.close();
});

/** Another program that locks the account until it is told to release it. */
async function hold(externalId: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(database.url);
  holders.add(holder);
  await holder.connect();
  await holder.query('begin; set local role laurel_system');
  const { rowCount } = await holder.query('select from account where external_id = $1 for update', [externalId]);
  expect(rowCount).toBe(1);
  return async () => void (await holder.query('rollback'));
}

const present = async (id: string) => (await service.rest('GET', `/admin/imports/${id}`)).body;

/** The number of attempts of the import. */
const attempts = (id: string) =>
  service.log.filter((line) => line.includes(id) && line.includes('import: begins')).length;

/** Resolves after more attempts than may fail, while the import has not ended. */
async function untilTried(id: string, times = FAILURES_MAX + 3): Promise<void> {
  await expect
    .poll(async () => ({ status: (await present(id)).status, tried: attempts(id) }), { timeout: 15_000, interval: 20 })
    .toSatisfy(({ status, tried }) => {
      expect(['QUEUED', 'RUNNING', 'FAILED']).toContain(status);
      return tried >= times || status === 'FAILED';
    });
  expect(await present(id)).toMatchObject({ status: 'RUNNING' });
}

async function loading(file: string, fields: object = {}): Promise<string> {
  const { id, uploadPath } = await createImport(service, fields);
  expect((await upload(service, uploadPath, file)).status).toBe(200);
  return id;
}

const failuresOf = async (id: string) => {
  const [row] = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ failures: number }>('select failures from csv_import where id = $1', [id]),
  );
  return row!.failures;
};

test('an import that meets an account that somebody holds waits until it is free, and says so', async () => {
  for (const externalId of ['held', 'beside']) await service.rest('POST', '/accounts/resolve', { externalId });
  const release = await hold('held');
  const id = await loading('externalId,name\nheld,Held\nbeside,Beside\nnew,New\n');
  await untilTried(id);
  expect(await present(id)).toMatchObject({ waitingSince: expect.stringMatching(/^20/), rowsRead: 0 });
  expect(await failuresOf(id)).toBe(0);
  await release();
  const report = await ended(service, id);
  expect(report).toMatchObject({ status: 'DONE', rowsUpdated: 2, rowsCreated: 1, rowsRefused: 0 });
  expect(report.waitingSince).toBeUndefined();
  expect((await accounts(service)).get('held')?.name).toBe('Held');
});

test('an import of codes for which somebody waits whose account is held waits as well, and delivers them afterwards', async () => {
  const productId = await newProduct(service, []);
  const reward = { name: 'Ticket', type: 'PRODUCTS', amount: 1, productId };
  await newGame(service, { codes: { BUY: 'SINGLE' }, missions: [{ programmaticCode: 'BUY' }], rewards: [reward] });
  const event = { programmaticCode: 'BUY', accountId: 'waiting', idType: 'EXTERNAL' };
  expect((await service.rest('POST', '/gamification/triggers', event)).status).toBe(200);
  const release = await hold('waiting');
  const id = await loading('code\nT-1\nT-2\n', { type: 'PRODUCT_CODES', productId });
  await untilTried(id);
  await release();
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsCreated: 2 });
  const rewards = await service.rest('GET', '/v1/gamification/missions/my-rewards/waiting?idType=EXTERNAL');
  expect(rewards.body).toMatchObject([{ status: 'DELIVERED', codes: [{ code: 'T-1' }] }]);
});

test('a row that is held for longer than an import waits ends it, in words, and nothing of the batch is stored', async () => {
  await service.rest('POST', '/accounts/resolve', { externalId: 'for-ever' });
  timeouts = { ...TIMEOUTS, giveUpMs: 400 };
  await hold('for-ever');
  const report = await ended(service, await loading('externalId,name\nfor-ever,Name\nlate,Late\n'));
  expect(report).toMatchObject({ status: 'FAILED', rowsRead: 0, error: expect.stringContaining('was in use') });
  expect(report.waitingSince).toBeUndefined();
  expect((await accounts(service)).has('late')).toBe(false);
});

test('a database that is away for longer than a lease is no failure of the import', { timeout: 60_000 }, async () => {
  await service.rest('POST', '/accounts/resolve', { externalId: 'cut-off' });
  const release = await hold('cut-off');
  const id = await loading('externalId,name\ncut-off,Name\n');
  await untilTried(id, 2);
  proxy.refuseNew(true);
  proxy.silence();
  // The looks for other files fail every 0.9 s; the batch is abandoned after its statement's limit of 2 s.
  const looks = () => service.log.filter((line) => line.includes('could not look for files')).length;
  await expect.poll(looks, { timeout: 30_000, interval: 20 }).toBeGreaterThan(8);
  proxy.refuseNew(false);
  const before = attempts(id);
  await expect.poll(() => attempts(id), { timeout: 15_000, interval: 20 }).toBeGreaterThan(before);
  expect(await failuresOf(id)).toBe(0);
  await release();
  expect(await ended(service, id)).toMatchObject({ status: 'DONE', rowsUpdated: 1 });
});

test('a failure that nobody foresaw is still one: after five the import is FAILED', async () => {
  await service.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    await uow.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'this row breaks the service'; end $$`);
    await uow.query(`create trigger refuse before insert on account for each row
      when (new.external_id = 'breaks') execute function refuse()`);
  });
  const id = await loading('externalId\nbreaks\n');
  expect(await ended(service, id)).toMatchObject({
    status: 'FAILED',
    rowsRead: 0,
    error: expect.stringContaining('The service failed to go on'),
  });
  expect(attempts(id)).toBe(FAILURES_MAX + 1);
});
