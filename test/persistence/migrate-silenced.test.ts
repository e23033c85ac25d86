import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/persistence/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { COMMIT } from '../support/severing-proxy.ts';
import { type SilencingProxy, silencingProxy } from '../support/silencing-proxy.ts';

/** Milliseconds; 10 s in production. */
const SILENCE_MS = 300;

/** Milliseconds to notice the silence, with a margin for a busy machine. TCP alone takes a quarter of an hour. */
const SOON = 8_000;

let database: TestDatabase;
let proxy: SilencingProxy;

beforeEach(async () => {
  database = await testDatabase();
  proxy = await silencingProxy(database.url);
});
afterEach(async () => {
  await proxy.close();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** Adds a pending migration that locks the table of accounts, and may be applied twice; returns its name. */
async function forgetOne(): Promise<string> {
  const client = await connected();
  const { rows } = await client.query<{ name: string }>(
    `delete from migration where name like '%-calendars' returning name`,
  );
  await client.end();
  expect(rows).toHaveLength(1);
  return rows[0]!.name;
}

/** The result of the migration, or a note that none came. */
function within<T>(ms: number, work: Promise<T>): Promise<T | string> {
  const outcome = work.catch((error: unknown) => `failed: ${String(error)}`);
  return Promise.race([outcome, new Promise<string>((resolve) => setTimeout(resolve, ms, 'still waits').unref())]);
}

test.for([
  ['a statement of a migration', 'lost', 'alter table "account"'],
  ['a statement of a migration', 'received', 'alter table "account"'],
  ['its commit', 'lost', COMMIT],
  ['the question which are pending', 'lost', 'from "migration"'],
  ['the wait for other processes that migrate', 'lost', 'pg_try_advisory_xact_lock'],
  ['the wait for other processes that migrate', 'received', 'pg_try_advisory_xact_lock'],
] as const)('%s that is %s when its connection goes silent fails soon, and the next attempt succeeds', async (fate) => {
  const [, received, text] = fate;
  const name = await forgetOne();
  const sprung = proxy.silenceAt(text, received);
  const outcome = within(SOON, migrate(proxy.url, undefined, { silenceMs: SILENCE_MS }));
  expect(await Promise.race([sprung, outcome])).toBeTypeOf('number');
  expect(await outcome).toMatch(/^failed: .*(silent|terminated|closed)/i);
  // No lock of it is left, neither on the table nor of the migrations.
  expect(await within(SOON, migrate(database.url))).toEqual([name]);
});

test('a migration whose connection the server ends fails, and the next attempt succeeds', async () => {
  const name = await forgetOne();
  const holder = await connected();
  await holder.query('begin; lock table account in row exclusive mode');
  const outcome = within(SOON, migrate(database.url));
  // Inside a transaction, the others' changes would stay invisible.
  const operator = await connected();
  const end = () =>
    operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
    );
  await expect.poll(async () => (await end()).rowCount, { timeout: SOON, interval: 20 }).toBe(1);
  await holder.query('commit');
  await Promise.all([holder.end(), operator.end()]);
  expect(await outcome).toMatch(/^failed: /);
  expect(await within(SOON, migrate(database.url))).toEqual([name]);
});

test('a migration that waits for a table, or for another process, is left alone', async () => {
  const name = await forgetOne();
  const holder = await connected();
  await holder.query('begin; lock table account in row exclusive mode');
  const first = migrate(proxy.url, undefined, { silenceMs: SILENCE_MS });
  const second = migrate(proxy.url, undefined, { silenceMs: SILENCE_MS });
  // The first waits a second for the table, again and again; the second waits for the first all the time.
  expect(await within(5_000, Promise.race([first, second]))).toBe('still waits');
  await holder.query('commit');
  await holder.end();
  expect((await Promise.all([first, second])).flat()).toEqual([name]);
});
