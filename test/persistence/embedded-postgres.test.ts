import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { REACHABLE_FOLDER } from '../../src/persistence/postgres/postgres-binaries.ts';
import { createDatabase } from '../support/databases.ts';

// Milliseconds. A busy machine needs long to create a database and to replay a log.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.getuid?.() === 0;

let folder: string;

beforeAll(async () => {
  folder = await newFolder(0o755);
});
afterAll(async () => {
  await (await start()).close();
  await rm(folder, { recursive: true, force: true });
});

async function newFolder(mode: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `laurel-test-${process.pid}-`));
  await chmod(path, mode);
  return path;
}

/** Settings for little memory, because the server of the other tests runs beside it. */
const start = (path = folder) => startEmbeddedPostgres({ folder: path, settings: { shared_buffers: '16MB' } });

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The data folder of the server at `url`. */
async function dataFolder(url: string): Promise<string> {
  const admin = url.replaceAll('laurel', 'postgres');
  const [row] = await ask<{ data_directory: string }>(admin, 'show data_directory');
  return row!.data_directory;
}

async function postmasterOf(data: string): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('two processes that start at once on an empty folder share one server, and the last one stops it', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(one.url).toBe(other.url);
  const data = await dataFolder(one.url);
  const user = await openDatabase({ url: other.url, entities, poolMax: 1 });
  await user.ping();
  await one.close();
  await user.ping();
  await user.close();
  await other.close();
  await expect(postmasterOf(data)).rejects.toThrow('ENOENT');
});

test('databases of a new server that are migrated at once agree on the roles', async () => {
  const { url } = await start();
  const urls = await Promise.all(['one', 'two', 'three', 'four'].map((name) => createDatabase(url, name)));
  const applied = await Promise.all(urls.map((each) => migrate(each)));
  expect(new Set(applied.map((names) => names.length)).size).toBe(1);
});

test('rows survive a server that was killed, and units of work go on after it', async () => {
  const { url } = await start();
  await ask(url, 'create table kept as select 7 as n');
  const db = await openDatabase({ url, entities, poolMax: 2 });
  await migrate(url);
  await db.systemUnitOfWork((uow) => uow.query('select from client'));
  process.kill(await postmasterOf(await dataFolder(url)), 'SIGKILL');
  const again = await start();
  expect(again.url).toBe(url);
  expect(await ask(url, 'select n from kept')).toEqual([{ n: 7 }]);
  await expect(db.systemUnitOfWork((uow) => uow.query('select 1 as n'))).resolves.toEqual([{ n: 1 }]);
  await db.close();
});

test('a server that a killed process has left running is taken over', async () => {
  const { url } = await start();
  const pid = await postmasterOf(await dataFolder(url));
  const again = await start();
  expect(again.url).toBe(url);
  expect(await postmasterOf(await dataFolder(url))).toBe(pid);
});

test('a number of a dead server that another process has by now does not prevent a start', async () => {
  const server = await start();
  const data = await dataFolder(server.url);
  const pidFile = await readFile(join(data, 'postmaster.pid'), 'utf8');
  await server.close();
  await writeFile(join(data, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
  const again = await start();
  expect(await ask(again.url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('the password is for the owner only, and the service is no superuser', async () => {
  const { url } = await start();
  expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);
  expect(await ask(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([{ rolsuper: false }]);
  await expect(ask(url.replace(/:[^:@]+@/, ':guessed@'), 'select 1')).rejects.toThrow('password');
});

test.runIf(isRoot)('below a folder that only root may enter, PostgreSQL runs all the same', async () => {
  const before = await readdir(REACHABLE_FOLDER).catch((): string[] => []);
  const closed = await newFolder(0o700);
  const server = await start(closed);
  await ask(server.url, 'create table kept as select 7 as n');
  expect((await dataFolder(server.url)).startsWith(REACHABLE_FOLDER)).toBe(true);
  await server.close();
  const again = await start(closed);
  expect(await ask(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
  await again.close();
  const added = (await readdir(REACHABLE_FOLDER)).filter((name) => !before.includes(name));
  for (const path of [closed, ...added.map((name) => join(REACHABLE_FOLDER, name))])
    await rm(path, { recursive: true });
});
