import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newTenant, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, shortOrLong } from './bounds.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

const ROWS = shortOrLong(12_000, 60_000);

/** The parts of a file of accounts after which its process is killed: each start of a process costs four seconds of the processor. */
const KILLED_AFTER = shortOrLong([0, 1 / 2], [0, 1 / 4, 1 / 2, 3 / 4]);

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await service.end('SIGKILL');
  await expectExact(database.db);
});
afterAll(() => database.drop());

const inClient = <Row extends object>({ clientId }: Tenant, sql: string) =>
  database.db.unitOfWork(clientId, (uow) => uow.query<Row>(sql));

/** Ends the lease of the dead process now instead of in 15 seconds. */
const endLease = (tenant: Tenant) => inClient(tenant, 'update csv_import set lease_until = clock_timestamp()');

test(
  'a file whose process is killed again and again is loaded once: no row is lost, none is applied twice',
  { timeout: 3 * LIMITS.timeout },
  async () => {
    const tenant = await newTenant(database.db);
    service = await startServiceProcess(database.url);
    const call = (method: string, path: string, body?: unknown) => restAs(service.baseUrl, tenant)(method, path, body);
    const { id: audienceId } = (await call('POST', '/admin/audiences', { name: 'All', kind: 'MANUAL' })).body;
    const { id, uploadPath } = (
      await call('POST', '/admin/imports', { type: 'ACCOUNTS', fileName: 'users.csv', audienceId })
    ).body;
    const rows = Array.from({ length: ROWS }, (_, index) => `user-${index},${index % 100 === 7 ? 'Mars' : 'UTC'}\n`);
    const uploaded = await fetch(service.baseUrl + uploadPath, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tenant.adminToken}` },
      body: `externalId,timeZone\n${rows.join('')}`,
    });
    expect(uploaded.status).toBe(200);

    const present = async () => (await call('GET', `/admin/imports/${id}`)).body;
    const rowsRead = async () => (await present()).rowsRead as number;
    const kills: number[] = [];
    for (const part of KILLED_AFTER) {
      await expect.poll(rowsRead, { interval: 50, timeout: 30_000 }).toBeGreaterThan(part * ROWS);
      kills.push(await rowsRead());
      await service.end('SIGKILL');
      await endLease(tenant);
      service = await startServiceProcess(database.url);
    }
    expect(kills.every((count) => count < ROWS)).toBe(true);

    await expect.poll(async () => (await present()).status, { interval: 100, timeout: 30_000 }).toBe('DONE');
    const refused = ROWS / 100;
    expect(await present()).toMatchObject({
      rowsTotal: ROWS,
      rowsRead: ROWS,
      rowsCreated: ROWS - refused,
      rowsRefused: refused,
      rowsUpdated: 0,
      rowsUnchanged: 0,
    });
    const [stored] = await inClient(
      tenant,
      `select (select count(*)::int from account) as accounts,
              (select count(distinct external_id)::int from account) as distinct,
              (select count(*)::int from audience_member) as members,
              (select count(*)::int from csv_import_refusal) as refusals`,
    );
    const loaded = ROWS - refused;
    expect(stored).toEqual({ accounts: loaded, distinct: loaded, members: loaded, refusals: refused });
  },
);

test('a process that is told to stop lets another go on at once', { timeout: 3 * LIMITS.timeout }, async () => {
  const tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
  const call = (method: string, path: string, body?: unknown) => restAs(service.baseUrl, tenant)(method, path, body);
  const { id, uploadPath } = (await call('POST', '/admin/imports', { type: 'ACCOUNTS', fileName: 'users.csv' })).body;
  await fetch(service.baseUrl + uploadPath, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tenant.adminToken}` },
    body: `externalId\n${Array.from({ length: ROWS }, (_, index) => `stop-${index}\n`).join('')}`,
  });
  const present = async () => (await call('GET', `/admin/imports/${id}`)).body;
  await expect.poll(async () => (await present()).rowsRead, { interval: 50, timeout: 30_000 }).toBeGreaterThan(0);
  expect(await service.end('SIGTERM')).toBe(0);
  const [left] = await inClient(tenant, `select status, lease_until from csv_import`);
  expect(left).toEqual({ status: 'RUNNING', lease_until: null });
  service = await startServiceProcess(database.url);
  await expect.poll(async () => (await present()).status, { interval: 100, timeout: 30_000 }).toBe('DONE');
  expect(await present()).toMatchObject({ rowsCreated: ROWS, rowsUnchanged: 0 });
});

describe('a file of events whose process is killed again and again', () => {
  let file: Awaited<ReturnType<typeof uploadEvents>>;

  test('is applied once', { timeout: 2 * LIMITS.timeout }, async () => {
    file = await uploadEvents();
    const { count, accounts, present, kill, status, sums } = file;
    await kill(({ rowsCreated }) => rowsCreated);
    await status().toBe('DONE');
    expect(await present()).toMatchObject({ rowsCreated: count, rowsUnchanged: 0, rowsRefused: 0 });
    expect(await sums()).toEqual({ points: Math.floor(count / accounts / 10) * accounts, staged: 0, entries: count });
  });

  test('is taken back once', { timeout: 2 * LIMITS.timeout }, async () => {
    const { id, count, call, present, kill, status, sums } = file;
    service = await startServiceProcess(database.url);
    await call('POST', `/admin/imports/${id}/reverse`, { reason: 'The wrong file' });
    await kill(({ rowsReversed }) => rowsReversed);
    await status().toBe('REVERSED');
    expect(await present()).toMatchObject({ rowsReversed: count, rowsRefused: 0 });
    expect(await sums()).toEqual({ points: 0, staged: 0, entries: 0 });
  });
});

/** Uploads a file of events that are older than a day. */
async function uploadEvents() {
  const [count, accounts] = [ROWS / 4, 40];
  const tenant = await newTenant(database.db);
  service = await startServiceProcess(database.url);
  const call = (method: string, path: string, body?: unknown) => restAs(service.baseUrl, tenant)(method, path, body);
  await inClient(tenant, 'update client set backfill_days_max = 30');
  await call('POST', '/admin/event-definitions', { programmaticCode: 'OLD', type: 'SINGLE' });
  const { id: audienceId } = (await call('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' })).body;
  const { id: points } = (await call('POST', '/admin/rewards', { name: 'One', type: 'POINTS', amount: 1 })).body;
  const startsAt = new Date(Date.now() - 20 * 86_400_000).toISOString();
  const mission = { type: 'MISSION', name: 'Old', programmaticCode: 'OLD', target: 10, repeat: {}, startsAt };
  await call('POST', '/admin/missions', { audienceId, mission: { ...mission, rewardIds: [points] } });
  const created = await call('POST', '/admin/imports', { type: 'EVENTS', fileName: 'old.csv', rewards: 'ALL' });
  const { id, uploadPath } = created.body;
  const at = (index: number) => new Date(Date.now() - 9 * 86_400_000 - index).toISOString();
  const rows = Array.from(
    { length: count },
    (_, index) => `${index},OLD,old-${index % accounts},EXTERNAL,${at(index)}\n`,
  );
  await fetch(service.baseUrl + uploadPath, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tenant.adminToken}` },
    body: `operationId,programmaticCode,accountId,idType,occurredAt\n${rows.join('')}`,
  });
  const present = async () => (await call('GET', `/admin/imports/${id}`)).body;
  const kill = async (read: (now: { rowsCreated: number; rowsReversed: number }) => number) => {
    for (const wanted of [1, count / 2]) {
      await expect
        .poll(async () => read(await present()), { interval: 100, timeout: 30_000 })
        .toBeGreaterThanOrEqual(wanted);
      await service.end('SIGKILL');
      await endLease(tenant);
      service = await startServiceProcess(database.url);
    }
  };
  const status = () => expect.poll(async () => (await present()).status, { interval: 100, timeout: 60_000 });
  const sums = async () => {
    const [row] = await inClient(
      tenant,
      `select (select coalesce(sum(available), 0)::int from point_balance) as points,
              (select count(*)::int from csv_import_event) as staged, (select count(*)::int from csv_import_entry) as entries`,
    );
    return row;
  };
  return { id, count, accounts, call, present, kill, status, sums };
}
