import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCKS } from '../../src/persistence/connections/advisory-lock.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

test('a migration that waits for a long transaction holds up no call for long, and is applied when that has ended', async () => {
  const [holder, caller] = await Promise.all([connected(), connected()]);
  // A migration that needs an exclusive lock on the table of accounts, and may be applied twice.
  const { rows } = await caller.query<{ name: string }>(
    `delete from migration where name like '%-calendars' returning name`,
  );
  const again = rows.map(({ name }) => name);
  expect(again).toHaveLength(1);
  await holder.query('begin; lock table account in row exclusive mode');
  const migrated = migrate(database.url);
  let longest = 0;
  let calls = 0;
  for (const end = performance.now() + 6_000; performance.now() < end; calls += 1) {
    const begun = performance.now();
    await caller.query(`update account set name = name where id = '00000000-0000-0000-0000-000000000000'`);
    longest = Math.max(longest, performance.now() - begun);
  }
  // It has waited in the queue at least once.
  expect(longest).toBeGreaterThan(300);
  expect(longest).toBeLessThan(3_000);
  await holder.query('commit');
  expect(await migrated).toEqual(again);
  expect(await migrate(database.url)).toEqual([]);
  await Promise.all([holder.end(), caller.end()]);
});

test('a process that waits for another one to migrate is in no transaction between its attempts', async () => {
  const [holder, reader] = await Promise.all([connected(), connected()]);
  await holder.query(`begin; select pg_try_advisory_xact_lock(${LOCKS.migration})`);
  const waiting = migrate(database.url);
  // `create index concurrently` waits for a whole transaction of which it has met a statement, so an open one could stop the other process.
  const seen = new Set<string>();
  for (let look = 0; look < 200; look += 1) {
    const { rows } = await reader.query<{ state: string }>(
      `select state from pg_stat_activity where datname = current_database() and application_name = 'laurel migrate'`,
    );
    for (const { state } of rows) seen.add(state);
    await sleep(5);
  }
  expect([...seen]).toContain('idle');
  await holder.query('rollback');
  expect(await waiting).toEqual([]);
  await Promise.all([holder.end(), reader.end()]);
});
