// A process freezes amid corrections, another does its work, and then it wakes.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, type Rest, type RestAnswer, restAs, type Tenant } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { COMMIT, type SeveringProxy, severingProxy } from '../support/severing-proxy.ts';
import { LIMITS, shortOrLong } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { daysAgo, newVisits, ok, sessionsThat, storedRows, untilWaiting } from './support/visits.ts';

type Json = RestAnswer['body'];

let database: TestDatabase;
let tenant: Tenant;
let proxy: SeveringProxy;
/** The process that freezes. */
let frozen: ServiceProcess;
let rest: Rest;
/** The process that works meanwhile. */
let other: ServiceProcess | undefined;

/** Rows of a file: a whole batch, and a part of one. */
const ROWS = 250;
const BATCH = 200;

beforeAll(async () => {
  database = await testDatabase({ idleTimeoutMs: 60_000 });
  tenant = await newTenant(database.db);
  proxy = await severingProxy(database.url);
  frozen = await startServiceProcess(proxy.url);
  rest = restAs(frozen.baseUrl, tenant);
  await inClient('update client set backfill_days_max = 30');
  const { audienceId } = await newVisits(rest);
  await ok(rest, '/admin/event-definitions', { programmaticCode: 'OLD', type: 'SINGLE' });
  const { id } = await ok(rest, '/admin/rewards', { name: 'One', type: 'POINTS', amount: 1 });
  const mission = { type: 'MISSION', name: 'Old', programmaticCode: 'OLD', target: 1, repeat: {}, rewardIds: [id] };
  await ok(rest, '/admin/missions', { audienceId, mission: { ...mission, startsAt: daysAgo(20) } });
  // The account has a balance, whose row can be locked.
  await ok(rest, '/gamification/triggers', { programmaticCode: 'OLD', accountId: 'old', idType: 'EXTERNAL' });
});
afterEach(async () => {
  // The tests share the process, so a test that fails must not leave it frozen.
  frozen.process.kill('SIGCONT');
  await other?.end('SIGKILL');
});
afterAll(async () => {
  await frozen.end('SIGKILL');
  await proxy.close();
  await database.drop();
});

const inClient = <Row extends object>(sql: string) =>
  database.db.unitOfWork(tenant.clientId, (uow) => uow.query<Row>(sql));

const LOCK_BALANCE = `select 1 from point_balance where account_id = (select id from account where external_id = 'old') for update`;

const waiting = (sessions: number) => untilWaiting(database.db, sessions);

/** Uploads a file of {@link ROWS} events of one account. @returns its id */
async function upload(name: string): Promise<string> {
  const file = { type: 'EVENTS', fileName: `${name}.csv`, rewards: 'ALL' };
  const { id, uploadPath } = await ok(rest, '/admin/imports', file);
  const rows = Array.from({ length: ROWS }, (_, index) => `${name} ${index},OLD,old,EXTERNAL,${daysAgo(3)}\n`);
  const uploaded = await fetch(frozen.baseUrl + uploadPath, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tenant.adminToken}` },
    body: `operationId,programmaticCode,accountId,idType,occurredAt\n${rows.join('')}`,
  });
  expect(uploaded.status).toBe(200);
  return id;
}

/**
 * PostgreSQL ends the transactions of the frozen process, and so their locks. A transaction may wait for a lock of another one until that
 * one ends. A job of the process may have a transaction as well.
 * @param transactions those of calls
 */
async function endTransactions(transactions: number): Promise<void> {
  const open = () => sessionsThat(database.db, `backend_type = 'client backend' and xact_start is not null`);
  expect((await open()).length).toBeGreaterThanOrEqual(transactions);
  // The short form does not wait until they have been idle for 15 seconds.
  const end = shortOrLong(endIdle, () => Promise.resolve());
  await expect.poll(() => end().then(open), { interval: 20, timeout: (transactions + 1) * 30_000 }).toEqual([]);
}

const endIdle = () =>
  database.db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    const idle = `datname = current_database() and state like 'idle in transaction%'`;
    await uow.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${idle}`);
  });

/** Another process serves, and need not wait 15 seconds for the end of the lease. */
async function takeOver(): Promise<Rest> {
  await inClient('update csv_import set lease_until = clock_timestamp() where finished_at is null');
  other = await startServiceProcess(database.url);
  return restAs(other.baseUrl, tenant);
}

async function loaded(by: Rest, id: string): Promise<Json> {
  const status = async () => (await by('GET', `/admin/imports/${id}`)).body;
  await expect.poll(async () => (await status()).status, { interval: 20, timeout: 60_000 }).toBe('DONE');
  return status();
}

/** How often the process that froze has found that a file is another's. */
const filesLost = () => frozen.log.filter((line) => line.includes('another process works on it')).length;

/** Freezes the process at the commit of a batch whose statements fulfil `batch`, after `begin`. The batch is committed. */
async function freezeAfter(batch: RegExp, begin: () => Promise<unknown>): Promise<void> {
  const committing = proxy.held(COMMIT, tenant.clientId, batch);
  await begin();
  const release = await committing;
  frozen.process.kill('SIGSTOP');
  release();
}

/** The transactions that apply or take back rows, and no other: housekeeping deletes such rows, too. */
const APPLIES = /^(?![\s\S]*delete from csv_import_event\s+where)/;
const TAKES_BACK = /^(?![\s\S]*delete from csv_import_entry\s+where)/;

const pointsOf = async (account: string) =>
  (await rest('GET', `/loyalty/accounts/${account}/points?idType=EXTERNAL`)).body.available;

test(
  'a reversal, a merge, its undo and a backfill whose process freezes are done once by another, also after it wakes',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const visit = (name: string) => ({
      ...{ programmaticCode: 'VISIT', accountId: name, idType: 'EXTERNAL', operationId: `visit ${name}` },
    });
    for (const name of ['returner', 'guest', 'one']) await ok(rest, '/gamification/triggers', visit(name));
    for (const externalId of ['member', 'two']) await ok(rest, '/accounts', { externalId });
    const into = (intoAccountId: string, operationId: string) => ({
      ...{ intoAccountId, idType: 'EXTERNAL', progress: 'SUM', operationId },
    });
    const { mergeId } = await ok(rest, '/accounts/one/merge', into('two', 'early'));
    const named = { programmaticCode: 'VISIT', triggerOperationId: 'visit returner', operationId: 'back' };
    const triggers = [{ ...visit('late'), occurredAt: daysAgo(3) }];
    const calls: readonly (readonly [string, Json])[] = [
      ['/gamification/triggers/reversals', named],
      ['/accounts/guest/merge', into('member', 'case')],
      [`/accounts/two/merges/${mergeId}/undo`, { idType: 'EXTERNAL', operationId: 'undo' }],
      ['/gamification/triggers/backfill', { rewards: 'ALL', triggers }],
    ];

    let answers: Promise<(RestAnswer | undefined)[]> = Promise.resolve([]);
    await database.db.unitOfWork(tenant.clientId, async (uow) => {
      await uow.query('select 1 from chest for update');
      await uow.query('select 1 from product for update');
      answers = Promise.all(calls.map(([path, body]) => rest('POST', path, body).catch(() => undefined)));
      await waiting(calls.length);
      frozen.process.kill('SIGSTOP');
    });
    await endTransactions(calls.length);

    const another = await takeOver();
    const done = await Promise.all(calls.map(([path, body]) => settled(() => another('POST', path, body))));
    expect(done.map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect(done[3]!.body).toMatchObject({ results: [{ result: { replayed: false } }] });
    const before = await storedRows(database.db, tenant.clientId);

    frozen.process.kill('SIGCONT');
    // Its own transactions have ended without an effect; a repeat by it finds the answer of the other process.
    for (const [index, answer] of (await answers).entries())
      if (answer?.status === 200 && index < 3) expect(answer.body).toEqual(done[index]!.body);
    const again = await Promise.all(calls.map(([path, body]) => settled(() => rest('POST', path, body))));
    for (const index of [0, 1, 2]) expect(again[index]).toMatchObject({ status: 200, body: done[index]!.body });
    expect(again[3]!.body).toMatchObject({ results: [{ result: { replayed: true } }] });
    expect(await storedRows(database.db, tenant.clientId)).toEqual(before);

    const points = await Promise.all(['returner', 'member', 'one', 'two', 'late'].map(pointsOf));
    expect(points).toEqual([0, 10, 10, 0, 10]);
    await expectExact(database.db);
  },
);

test.each(['amid a batch', 'between two batches'])(
  'a process that freezes %s of a file leaves the rest to the one that took it over',
  { timeout: 4 * LIMITS.timeout },
  async (moment) => {
    const before = await pointsOf('old');
    const lostBefore = filesLost();
    let file = '';
    if (moment === 'amid a batch') {
      await database.db.unitOfWork(tenant.clientId, async (uow) => {
        expect(await uow.query(LOCK_BALANCE)).toHaveLength(1);
        file = await upload(moment);
        await waiting(1);
        frozen.process.kill('SIGSTOP');
      });
      await endTransactions(1);
    } else {
      await freezeAfter(APPLIES, async () => {
        file = await upload(moment);
      });
    }
    let another: Rest | undefined;
    await database.db.unitOfWork(tenant.clientId, async (uow) => {
      await uow.query(LOCK_BALANCE);
      another = await takeOver();
      await waiting(1);
      frozen.process.kill('SIGCONT');
      // While the other one has the next rows in hand, it finds that the file is not its own any more.
      await expect.poll(filesLost, { timeout: 30_000 }).toBe(lostBefore + 1);
    });
    expect(await loaded(another!, file)).toMatchObject({ rowsCreated: ROWS, rowsUnchanged: 0, rowsRefused: 0 });
    expect(await pointsOf('old')).toBe(before + ROWS);
    await expectExact(database.db);
  },
);

test(
  'a process that wakes between two batches of a file, or of its reversal, leaves the rest to its holder, though nobody works on it',
  { timeout: 4 * LIMITS.timeout },
  async () => {
    const before = await pointsOf('old');
    let file = '';
    const left = async (table: string) => {
      const [{ rows } = { rows: 0 }] = await inClient<{ rows: number }>(
        `select count(*)::int as rows from ${table} where import_id = '${file}'`,
      );
      return rows;
    };
    const status = async (id: string) => (await rest('GET', `/admin/imports/${id}`)).body;
    /** A process that does nothing takes the file over; then the one that froze wakes. */
    const wakeWithout = async () => {
      const lostBefore = filesLost();
      // The lease may have been in its hands when it froze.
      await endTransactions(0);
      const taken = `runner = gen_random_uuid(), lease_until = clock_timestamp() + interval '50 s'`;
      await inClient(`update csv_import set ${taken} where finished_at is null`);
      frozen.process.kill('SIGCONT');
      await expect.poll(filesLost, { timeout: 30_000 }).toBe(lostBefore + 1);
    };
    const endLease = () => inClient('update csv_import set lease_until = clock_timestamp() where finished_at is null');

    await freezeAfter(APPLIES, async () => {
      file = await upload('left alone');
    });
    await wakeWithout();
    expect(await left('csv_import_event')).toBe(ROWS - BATCH);
    expect(await pointsOf('old')).toBe(before + BATCH);
    await endLease();
    expect(await loaded(rest, file)).toMatchObject({ rowsCreated: ROWS, rowsUnchanged: 0, rowsRefused: 0 });
    expect(await pointsOf('old')).toBe(before + ROWS);

    await freezeAfter(TAKES_BACK, () => ok(rest, `/admin/imports/${file}/reverse`, { reason: 'Sent twice' }));
    await wakeWithout();
    expect(await left('csv_import_entry')).toBe(ROWS - BATCH);
    await endLease();
    await expect.poll(() => status(file).then((each) => each.status), { timeout: 60_000 }).toBe('REVERSED');
    expect(await status(file)).toMatchObject({ rowsReversed: ROWS });
    expect(await pointsOf('old')).toBe(before);
    await expectExact(database.db);
  },
);
