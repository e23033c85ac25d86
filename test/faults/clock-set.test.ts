import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { openCluster } from '../../src/persistence/postgres/postgres-cluster.ts';
import { newOffer } from '../operations/marketplace/shop.ts';
import { newGame } from '../support/game.ts';
import { newTenant, type Rest, restAs, type Tenant, type TestService } from '../support/service.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { status } from '../operations/webhooks/retry-tools.ts';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';

/** The library that shows programs another time; Debian's package `libfaketime`. Without it, clock-back.test.ts covers the guarantees. */
const LIBRARY = globSync('/usr/lib/{*/,}faketime/libfaketimeMT.so.1').find(existsSync);

const YEAR_SECONDS = 365 * 86_400;

describe.skipIf(!LIBRARY)('PostgreSQL and the service by a clock that is set (skipped without libfaketime)', () => {
  let folder: string;
  let postgres: OwnPostgres;
  let db: Database;
  let tenant: Tenant;
  let host: ServiceProcess;
  let rest: Rest;
  let service: TestService;
  let receiver: Receiver;
  let answer: Answer;
  let tidying: Tidying[] = [];

  /** Sets the time of all programs that run with the library. */
  const set = (seconds: number) => writeFile(join(folder, 'offset'), `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  const env = () => ({
    LD_PRELOAD: LIBRARY!,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
    FAKETIME_NO_CACHE: '1',
    // The monotonic clock cannot be set on a real machine either.
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-clock-'));
    await chmod(folder, 0o755);
    await set(0);
    postgres = await startOwnPostgres('clock-set');
    const { binaries, data } = await openCluster(join(tmpdir(), `laurel-test-${process.pid}-clock-set`));
    // A restart with the same settings; `pg_ctl` passes its environment on.
    const args = ['restart', '--mode=fast', '--wait', `--pgdata=${data}`, `--log=${join(data, 'server.log')}`];
    const bare = { PATH: process.env.PATH, LC_ALL: 'C' };
    await promisify(execFile)(binaries.pgCtl, args, { ...binaries.user, cwd: '/', env: { ...bare, ...env() } });
    db = await openDatabase({ url: postgres.url, entities, poolMax: 5 });
    tenant = await newTenant(db);
    receiver = await startReceiver((...args) => answer(...args));
    host = await startServiceProcess(postgres.url, { env: { ...env(), LAUREL_HOUSEKEEPING: 'false' } });
    rest = restAs(host.baseUrl, tenant);
    service = { ...tenant, rest, db, baseUrl: host.baseUrl } as TestService;
  });
  beforeEach(() => {
    answer = status(204);
  });
  afterEach(async () => {
    for (const each of tidying.splice(0)) each.child.kill('SIGKILL');
    await set(0);
    await expect.poll(skew).toBeLessThan(5);
  });
  afterAll(async () => {
    await receiver?.close();
    await host?.end('SIGKILL');
    await db?.close();
    await postgres?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** The seconds between this process's real clock and PostgreSQL's. */
  async function skew(): Promise<number> {
    const [row] = await db.systemUnitOfWork((uow) => uow.query<{ now: Date }>('select clock_timestamp() as now'));
    return Math.abs(row!.now.getTime() - Date.now()) / 1_000;
  }

  type RoundReport = { readonly least: number; readonly reason: string | null };
  type Tidying = { readonly child: ChildProcess; last: RoundReport };

  /** Housekeeping in a separate process; it repeats all jobs. */
  async function tidy(): Promise<Tidying> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'support/tidy-process.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, DATABASE_URL: postgres.url, ...env() },
    });
    const begun: Tidying = { child, last: { least: 0, reason: null } };
    createInterface(child.stdout).on('line', (line) => (begun.last = JSON.parse(line) as RoundReport));
    tidying.push(begun);
    await rounds(begun);
    return begun;
  }

  /** Resolves after every job has begun and ended once more. */
  async function rounds(of: Tidying): Promise<void> {
    const before = of.last.least;
    await expect.poll(() => of.last.least, { timeout: 20_000 }).toBeGreaterThan(before + 1);
  }

  const PURCHASE = { accountId: 'ada', idType: 'EXTERNAL', operationId: 'bought-once' };

  test('a year ahead for a while: what was bought is not bought twice, and no points are lost', async () => {
    await newGame(service, {
      codes: { GIFT: 'SINGLE' },
      missions: [{ programmaticCode: 'GIFT' }],
      rewards: [{ name: 'Fleeting', type: 'POINTS', amount: 5, expiresInDays: 30 }],
    });
    const gift = { programmaticCode: 'GIFT', accountId: 'ada', idType: 'EXTERNAL' };
    expect(await rest('POST', '/gamification/triggers', gift)).toMatchObject({ status: 200 });
    const publicationId = await newOffer(service, { stock: 3 });
    const buy = () => rest('POST', `/marketplace/publications/redeem/${publicationId}`, PURCHASE);
    const bought = await buy();
    expect(bought.status).toBe(200);
    const points = async () =>
      (await rest('GET', '/loyalty/accounts/ada/points?idType=EXTERNAL')).body.available as number;
    expect(await points()).toBe(5);

    const housekeeping = await tidy();
    await set(YEAR_SECONDS);
    await expect.poll(skew).toBeGreaterThan(YEAR_SECONDS - 60);
    expect(await points()).toBe(5);
    await rounds(housekeeping);
    expect(housekeeping.last.reason).toBe('JUMPED');
    expect(await buy()).toMatchObject({ status: 200, body: bought.body });

    await set(0);
    await expect.poll(skew).toBeLessThan(5);
    await rounds(housekeeping);
    await expect.poll(() => housekeeping.last.reason, { timeout: 10_000 }).toBeNull();
    expect(await buy()).toMatchObject({ status: 200, body: bought.body });
    expect(await points()).toBe(5);
  });

  test('started a year ahead: nothing is deleted, and once the clock is right it goes on', async () => {
    const first = await tidy();
    expect(first.last.reason).toBeNull();
    first.child.kill('SIGKILL');
    await set(YEAR_SECONDS);
    await expect.poll(skew).toBeGreaterThan(YEAR_SECONDS - 60);
    const housekeeping = await tidy();
    expect(housekeeping.last.reason).toBe('AWAY');
    const operations = () =>
      db.unitOfWork(tenant.clientId, (uow) =>
        uow.query(`select 1 from operation where id = $1`, [PURCHASE.operationId]),
      );
    expect(await operations()).toHaveLength(1);
    await set(0);
    await expect.poll(skew).toBeLessThan(5);
    await expect.poll(() => housekeeping.last.reason, { timeout: 10_000 }).toBeNull();
    expect(await operations()).toHaveLength(1);
  });

  test('back from a year ahead: webhooks are sent again, and people sign in', async () => {
    const { body: made } = await rest('POST', '/admin/users', { email: 'ana@example.com', name: 'Ana' });
    const signIn = (password: string) => rest('POST', '/admin/session/sign-in', { email: 'ana@example.com', password });
    await set(YEAR_SECONDS);
    await expect.poll(skew).toBeGreaterThan(YEAR_SECONDS - 60);
    for (let time = 1; time <= 6; time += 1) await signIn('wrong');
    expect(await signIn(made.password)).toMatchObject({ status: 429 });
    answer = status(503);
    await rest('PUT', '/webhooks/publication-status', { endpoint: `${receiver.url}/hook`, retries: true });
    await newOffer(service, { stock: 1 });
    await receiver.got(1);
    const waiting = () =>
      db.unitOfWork(tenant.clientId, (uow) => uow.query('select 1 from webhook_retry where lease_until is null'));
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
    answer = status(204);

    await set(0);
    await expect.poll(skew).toBeLessThan(5);
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
    // The service follows the clock within ten seconds.
    await expect.poll(async () => (await signIn(made.password)).status, { timeout: 15_000 }).toBe(200);
  });
});
