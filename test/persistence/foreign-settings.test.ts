import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { databaseChecks } from '../../src/persistence/checks/database-checks.ts';
import { faultsOf, inspect } from '../../src/persistence/checks/inspect.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { runStep } from '../../src/persistence/migrating/run-step.ts';
import { type OwnPostgres, startOwnPostgres } from '../faults/support/own-postgres.ts';
import { type Pgbouncer, pgbouncerProgram, startPgbouncer } from '../faults/support/pgbouncer.ts';
import { createDatabase } from '../support/databases.ts';
import { startService, type TestService } from '../support/service.ts';
import { usualCalls } from './usual-calls.ts';

/**
 * Settings that a DBA may have made for a database, a login or the whole server. Calls are correct all the same, unless marked otherwise.
 */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['datestyle', 'SQL, DMY'],
  ['timezone', 'Asia/Kathmandu'],
  ['intervalstyle', 'sql_standard'],
  ['bytea_output', 'escape'],
  ['extra_float_digits', '-15'],
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_deferrable', 'on'],
  ['statement_timeout', '500ms'],
  ['lock_timeout', '1ms'],
  ['idle_in_transaction_session_timeout', '200ms'],
  ['idle_session_timeout', '300ms'],
  ['search_path', 'elsewhere'],
  ['standard_conforming_strings', 'off'],
  ['escape_string_warning', 'on'],
  ['array_nulls', 'off'],
  ['transform_null_equals', 'on'],
  ['client_encoding', 'LATIN1'],
  ['row_security', 'off'],
  ['jit', 'on'],
  ['plan_cache_mode', 'force_custom_plan'],
  ['synchronous_commit', 'off'],
  ['xmlbinary', 'hex'],
  ['quote_all_identifiers', 'on'],
  ['client_min_messages', 'error'],
  ['track_activities', 'off'],
  ['transaction_timeout', '400ms'],
];

/** A setting that the service cannot reset, or must not: the service does not start, and a running one is not ready. */
const REFUSED: readonly (readonly [name: string, value: string, words: RegExp])[] = [
  ['session_replication_role', 'replica', /session_replication_role is replica.*foreign key/],
  ['default_transaction_read_only', 'on', /takes no writes: default_transaction_read_only is on/],
];

let postgres: OwnPostgres;
/** The result for a service with open connections from before the setting. */
let running: TestService;
let usual: unknown;

beforeAll(async () => {
  postgres = await startOwnPostgres('foreign-settings', { fsync: 'off' });
  running = await served(postgres.url);
  usual = await usualCalls(running);
});
afterAll(async () => {
  await running.close();
  await postgres.remove();
});

/** A service on the database at `url`, which it does not drop. */
async function served(url: string, preparedStatements = true): Promise<TestService> {
  const db = await openDatabase({ url, entities, poolMax: 4, preparedStatements });
  return startService({ database: { db, url, drop: () => db.close() } });
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

/** PostgreSQL 15 lacks some of them. */
async function isKnown(name: string): Promise<boolean> {
  const { rowCount } = await asked(postgres.superuserUrl, `select from pg_settings where lower(name) = '${name}'`);
  return rowCount === 1;
}

async function asked(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

const textOf = (value: string) => `'${value}'`;

describe.each(SETTINGS)('where somebody has set %s to %s', (name, value) => {
  test('for the database, a service starts and calls are right', async ({ skip }) => {
    if (!(await isKnown(name))) skip('This PostgreSQL does not know it.');
    await postgres.administer(`alter database ${databaseOf(postgres.url)} set ${name} = ${textOf(value)}`);
    try {
      expect(faultsOf(await inspect(postgres.url, databaseChecks), 'start')).toEqual([]);
      const started = await served(postgres.url);
      try {
        await started.db.ping();
        expect(await usualCalls(started)).toEqual(usual);
      } finally {
        await started.close();
      }
    } finally {
      await postgres.administer(`alter database ${databaseOf(postgres.url)} reset ${name}`);
    }
  });

  test('for the server, while a service runs, calls stay right on its connections', async ({ skip }) => {
    if (!(await isKnown(name))) skip('This PostgreSQL does not know it.');
    await postgres.administer(`alter system set ${name} = ${textOf(value)}`, 'select pg_reload_conf()');
    try {
      expect(await usualCalls(running)).toEqual(usual);
      await running.db.ping();
    } finally {
      await postgres.administer(`alter system reset ${name}`, 'select pg_reload_conf()');
    }
  });
});

test.each(REFUSED)('where somebody has set %s to %s, the start refuses in words', async (name, value, words) => {
  await postgres.administer(`alter database ${databaseOf(postgres.url)} set ${name} = ${textOf(value)}`);
  try {
    for (const when of ['start', 'running'] as const) {
      const [fault] = faultsOf(await inspect(postgres.url, databaseChecks), when);
      expect(fault?.problem).toMatch(words);
      expect(fault?.remedy).toContain(`reset ${name}`);
    }
  } finally {
    await postgres.administer(`alter database ${databaseOf(postgres.url)} reset ${name}`);
  }
});

/** A new database on the server with all settings at once. */
async function setOtherwise(name: string): Promise<string> {
  const url = await createDatabase(postgres.url, name);
  for (const [setting, value] of SETTINGS) {
    if (!(await isKnown(setting))) continue;
    await postgres.administer(`alter database ${name} set ${setting} = ${textOf(value)}`);
  }
  return url;
}

describe('a database in which all of it is set', () => {
  let url: string;
  let applied: readonly string[];

  beforeAll(async () => {
    url = await setOtherwise('otherwise');
    applied = await migrate(url);
  }, 120_000);

  test('is migrated, and has the schema where it belongs', async () => {
    expect(applied.length).toBeGreaterThan(30);
    expect(faultsOf(await inspect(url, databaseChecks), 'start')).toEqual([]);
    expect(await migrate(url)).toEqual([]);
  });

  test('is migrated further by statements that take longer than it allows', async () => {
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [],
      ensureDatabase: false,
      discovery: { warnWhenNoEntities: false },
      logger: () => {},
    });
    const patience = { url, orm, migration: 'a migration', logger: undefined };
    const step = (sql: string) => runStep(patience, { sql });
    try {
      await step('create table public.slow (n int)');
      await step('insert into public.slow values (1), (2)');
      await step(
        `create function public.slowly(n int) returns int immutable language plpgsql
           as 'begin perform pg_sleep(0.4); return n; end'`,
      );
      await step('select pg_sleep(0.8)');
      await runStep(patience, { index: 'slow_index', on: 'public.slow (public.slowly(n))' });
      const { rows } = await asked(
        url,
        `select indisvalid from pg_index where indexrelid = 'public.slow_index'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true }]);
      await step('drop table public.slow');
    } finally {
      await orm.close(true);
    }
  });

  test.skipIf(pgbouncerProgram === undefined)(
    'is served through a PgBouncer, where calls are right and its ping is reported',
    async () => {
      const pgbouncer: Pgbouncer = await startPgbouncer(url);
      try {
        const started = await served(pgbouncer.url, false);
        try {
          await started.db.ping();
          expect(await usualCalls(started)).toEqual(usual);
        } finally {
          await started.close();
        }
      } finally {
        await pgbouncer.remove();
      }
    },
  );
});

test('a moment that arrives in another way is reported as such, and the database is not ready', async () => {
  const db: Database = await openDatabase({ url: postgres.url, entities, poolMax: 1 });
  try {
    const garble = (uow: { query(sql: string): Promise<unknown> }) => uow.query(`set datestyle = 'SQL, DMY'`);
    await expect(
      db.systemUnitOfWork(async (uow) => {
        await garble(uow);
        return uow.query('select null::timestamptz as none, now() as at');
      }),
    ).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      cause: { message: expect.stringMatching(/not ISO 8601/) },
    });
    await db.ping();
    // Committed, as by a proxy that keeps settings from the server.
    await db.systemUnitOfWork(garble);
    await expect(db.ping()).rejects.toMatchObject({ cause: { message: expect.stringMatching(/not ISO 8601/) } });
  } finally {
    await db.close();
  }
});

test('a login that may not create tables is told which right it lacks', async () => {
  const url = new URL(await createDatabase(postgres.superuserUrl, 'not_ours'));
  url.username = 'laurel';
  await asked(postgres.superuserUrl.replace(/[^/]*$/, 'not_ours'), 'revoke create on schema public from public');
  await expect(migrate(url.href)).rejects.toThrow(
    /permission denied for schema public: .*`grant create, usage on schema public to laurel`/,
  );
});

test.skipIf(pgbouncerProgram === undefined)('a login that PgBouncer refuses is told what to do there', async () => {
  const pgbouncer = await startPgbouncer(postgres.url);
  try {
    const at = (change: (url: URL) => void) => {
      const url = new URL(pgbouncer.url);
      change(url);
      return inspect(url.href, []);
    };
    const [password] = faultsOf(await at((url) => (url.password = 'wrong')), 'start');
    expect(password).toMatchObject({
      problem: expect.stringMatching(/does not let the login laurel in: SASL authentication failed/),
      remedy: expect.stringMatching(/auth_file.*auth_query/),
    });
    const [database] = faultsOf(await at((url) => (url.pathname = '/none')), 'start');
    expect(database?.remedy).toMatch(/\[databases\]/);
  } finally {
    await pgbouncer.remove();
  }
});
