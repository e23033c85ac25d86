import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { newGame } from '../support/game.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { expectExact } from './support/expect-exact.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

const MINUTES = 60_000;

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let database: TestDatabase;
let tenant: Tenant;
let hosts: Record<'right' | 'fast' | 'slow', { process: ServiceProcess; rest: Rest; adminToken: string }>;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await newTenant(database.db);
  const [right, fast, slow] = await Promise.all([0, 5 * MINUTES, -5 * MINUTES].map(startHost));
  hosts = { right: right!, fast: fast!, slow: slow! };
});
afterAll(async () => {
  await Promise.all(Object.values(hosts).map(({ process }) => process.end('SIGKILL')));
  await database.drop();
});

/** Sets the clock of a process ahead by some milliseconds: the service reads the machine's clock only through `Date`. */
function ahead(aheadMs: number): string {
  const skewed = `globalThis.Date = class extends Date {
    constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); }
    static now() { return super.now() + ${aheadMs}; }
  };`;
  return `--import=data:text/javascript,${encodeURIComponent(skewed)}`;
}

async function startHost(aheadMs: number) {
  const process = await startServiceProcess(database.url, { env: { NODE_OPTIONS: ahead(aheadMs) } });
  return { process, rest: restAs(process.baseUrl, tenant), adminToken: tenant.adminToken };
}

test('a host whose clock is off says so at its start and in its metrics, and one whose clock is right does not', async () => {
  const hasWarned = ({ process }: { process: ServiceProcess }) =>
    process.log.some((line) => line.includes('set both by NTP'));
  expect([hasWarned(hosts.right), hasWarned(hosts.fast), hasWarned(hosts.slow)]).toEqual([false, true, true]);
  const metrics = await (await fetch(`${hosts.fast.process.baseUrl}/metrics`)).text();
  expect(Number(/^laurel_clock_skew_seconds (\S+)/m.exec(metrics)?.[1])).toBeCloseTo(300, 0);
});

test('a moment that has just passed is taken by a host whose clock is five minutes slow', async () => {
  await newGame(hosts.right, { codes: { LOGIN: 'SINGLE' }, missions: [{ programmaticCode: 'LOGIN', target: 5 }] });
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  const answer = await hosts.slow.rest('POST', '/gamification/triggers', {
    ...event,
    occurredAt: new Date(Date.now() - 100).toISOString(),
  });
  expect(answer).toMatchObject({ status: 200, body: { progressedMissions: [{ progress: 1 }] } });
});

test('a fresh reservation is not expired by a host whose clock is five minutes fast', async () => {
  const { rest } = hosts.right;
  const { body: product } = await rest('POST', '/admin/products', { name: 'Mug', stockMode: 'UNLIMITED' });
  const { body: publication } = await rest('POST', '/admin/publications', {
    name: 'Mug',
    productId: product.id,
    stock: 1,
  });
  await rest('POST', `/marketplace/publications/${publication.id}/publish`);
  const own = { publicationId: publication.id, idType: 'EXTERNAL', ttlSeconds: 60 };
  expect(await rest('POST', '/marketplace/publications/freeze', { ...own, accountId: 'ada' })).toMatchObject({
    status: 200,
  });
  expect(await hosts.fast.rest('POST', '/marketplace/publications/freeze', { ...own, accountId: 'eve' })).toMatchObject(
    {
      status: 409,
      body: { code: 'OUT_OF_STOCK' },
    },
  );
  const bought = await hosts.fast.rest('POST', `/marketplace/publications/redeem/${publication.id}`, {
    accountId: 'ada',
    idType: 'EXTERNAL',
  });
  expect(bought).toMatchObject({ status: 200 });
  await expectExact(database.db);
});

test('the ledger of an account is in the order of what was done, whichever host did it', async () => {
  const { body: account } = await hosts.right.rest('POST', '/accounts/resolve', { externalId: 'bea' });
  const path = `/admin/accounts/${account.id}/points/adjust`;
  for (const [amount, host] of [
    [1, hosts.fast],
    [2, hosts.right],
    [3, hosts.slow],
    [4, hosts.fast],
  ] as const) {
    expect(await host.rest('POST', path, { amount, reason: 'In order.' })).toMatchObject({ status: 200 });
  }
  const { body } = await hosts.right.rest('GET', `/loyalty/accounts/${account.id}/points/history`);
  expect(body.map(({ amount }: { amount: number }) => amount)).toEqual([4, 3, 2, 1]);
});

test('lists that are in the order of creation are so whichever host created what, and say when by one clock', async () => {
  const begun = Date.now();
  const names = ['first', 'second', 'third', 'fourth'];
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const host = [hosts.fast, hosts.right, hosts.slow, hosts.fast][index]!;
    const made = await host.rest('POST', '/admin/products', { name, stockMode: 'UNLIMITED' });
    expect(made.status).toBe(201);
    ids.push(made.body.id);
    expect(await host.rest('POST', '/accounts/resolve', { externalId: `${name}-of-all` })).toMatchObject({
      status: 200,
    });
  }
  const elapsed = Date.now() - begun;
  const { body: audit } = await hosts.right.rest('GET', '/admin/audit/paginated?page=1&limit=100');
  const changed = (audit.rows as Array<{ resourceId: string }>).map(({ resourceId }) => resourceId);
  expect(changed.filter((id) => ids.includes(id)).toReversed()).toEqual(ids);
  expect(ids.toSorted()).toEqual(ids);
  const { body: accounts } = await hosts.right.rest('GET', '/accounts/paginated?page=1&limit=100');
  const created = (accounts.rows as Array<{ externalId: string; createdAt: string }>).filter(({ externalId }) =>
    externalId.endsWith('-of-all'),
  );
  expect(created.map(({ externalId }) => externalId)).toEqual(names.map((name) => `${name}-of-all`));
  const moments = created.map(({ createdAt }) => Date.parse(createdAt));
  expect(Math.max(...moments) - Math.min(...moments)).toBeLessThanOrEqual(elapsed + 1_000);
  expect(Math.abs(moments[0]! - begun)).toBeLessThan(MINUTES);
});

test('the doctor of a machine whose clock is off says so, and finds nothing at fault', async () => {
  const env = { DATABASE_URL: database.url, LAUREL_DATA: tmpdir(), NODE_OPTIONS: ahead(5 * MINUTES) };
  const doctor = await promisify(execFile)(process.execPath, [MAIN, 'doctor'], {
    env: { PATH: process.env.PATH, LAUREL_SECRET_KEYS: Buffer.alloc(32, 'test').toString('base64'), ...env },
  });
  expect(doctor.stdout).toMatch(/^warning +clock +.* 300 s ahead of PostgreSQL's/m);
  expect(doctor.stdout).toContain('All is well');
});
