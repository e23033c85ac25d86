import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newTenant, type Rest, restAs, type Tenant } from '../support/service.ts';
import { LIMITS, rounds, seed } from './bounds.ts';
import { expectCounted, expectReplayed, newCountedGame } from './support/counted-game.ts';
import { startEventLoad } from './support/event-load.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts';

let disk: SmallDisk | undefined;
let postgres: OwnPostgres;
let db: Database;
let tenant: Tenant;
let service: ServiceProcess;
let rest: Rest;

/** Settings that let 200 MiB suffice for a while; PostgreSQL's log takes a part of it. */
const SETTINGS = { max_wal_size: '96MB', min_wal_size: '80MB', shared_buffers: '32MB', checkpoint_timeout: '30s' };

beforeAll(async () => {
  disk = await mountSmallDisk(200);
  if (disk === undefined) return;
  postgres = await startOwnPostgres('full', SETTINGS, disk.folder);
  db = await openDatabase({ url: postgres.url, entities, poolMax: 4 });
  service = await startServiceProcess(postgres.url);
});
beforeEach(async ({ skip }) => {
  skip(disk === undefined, 'This machine lets nobody mount a small filesystem: run the test as root on Linux.');
  tenant = await newTenant(db);
  rest = restAs(service.baseUrl, tenant);
});
afterAll(async () => {
  if (disk === undefined) return;
  await disk.makeRoom();
  await service.end('SIGKILL');
  await db.close();
  await postgres.remove();
  await disk.remove();
});

const ready = async () => (await fetch(`${service.baseUrl}/readyz`)).status;

/** The status of an event with a new operation id. */
let sent = 0;
const send = (path = '/gamification/triggers') =>
  rest('POST', path, {
    programmaticCode: 'LOGIN',
    accountId: 'one-more',
    idType: 'EXTERNAL',
    operationId: `one-more-${(sent += 1)}`,
  });
const refused = { status: 503, body: { code: 'DATABASE_FULL', message: expect.stringContaining('no room left') } };

test(
  'a full disk is reported as such, loses nothing that was answered, and is over as soon as there is room',
  LIMITS,
  async () => {
    const game = await newCountedGame(rest, tenant);
    const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: tenant.apiKey, seed });
    for (const _ of rounds(1)) {
      await load.progress(200);
      await setLogAside();
      await disk!.fill();
      // PostgreSQL uses the space that it has reserved for its tables first.
      await expect.poll(() => send(), { timeout: 15_000, interval: 5 }).toMatchObject(refused);
      expect(await send('/gamification/triggers/async')).toMatchObject(refused);
      // The server is up, and stored data can be read.
      expect(await ready()).toBe(200);
      expect((await rest('GET', '/accounts/paginated?page=1&limit=1')).status).toBe(200);
      await disk!.makeRoom();
      await load.progress(50);
    }
    expect(service.log.filter((line) => line.includes('the disk of PostgreSQL is full')).length).toBeGreaterThan(0);
    const answered = await load.stop();
    expect(load.repeated).toBeGreaterThan(0);
    await expectCounted({ rest, db }, game, answered);
    await expectReplayed(rest, answered);
  },
);

test(
  'a server that ends because its log finds no room loses nothing either, and the service finds it again',
  LIMITS,
  async () => {
    const game = await newCountedGame(rest, tenant);
    const load = startEventLoad({ baseUrl: () => service.baseUrl, apiKey: tenant.apiKey, seed });
    for (const _ of rounds(1)) {
      await load.progress(50);
      await disk!.fill();
      await fillLog();
      await expect.poll(ready, { timeout: 10_000, interval: 20 }).toBe(503);
      await disk!.makeRoom();
      // In production, the supervisor of PostgreSQL does this.
      await postgres.restart();
      await expect.poll(ready, { timeout: 10_000, interval: 20 }).toBe(200);
      await load.progress(50);
    }
    const answered = await load.stop();
    expect(service.process.exitCode).toBeNull();
    await expectCounted({ rest, db }, game, answered);
    await expectReplayed(rest, answered);
  },
);

/** Lets PostgreSQL keep spare log files, as under permanent load; a server without spare files ends, as the other test shows. */
async function setLogAside(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.superuserUrl });
  await client.connect();
  for (let segment = 0; segment < 4; segment += 1) {
    await client.query(`select pg_logical_emit_message(false, 'a new file', ''), pg_switch_wal()`);
  }
  await client.query('checkpoint');
  await client.end();
}

/** Writes only to PostgreSQL's log, until the server stops. */
async function fillLog(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => {});
  await client.connect();
  const write = () => client.query(`select pg_logical_emit_message(true, 'ballast', repeat('x', 1000000))`);
  while (
    await write().then(
      () => true,
      () => false,
    )
  );
  await client.end().catch(() => {});
}
