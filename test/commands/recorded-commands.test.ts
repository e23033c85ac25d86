// Every command that changes data is in the audit log, with the operating system's user and host.
import { execFile } from 'node:child_process';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseCommands } from '../../src/commands/database/database-commands.ts';
import type { Database } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { releasedDatabase } from '../support/released-database.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** The time limit: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };
const OPERATOR = `${userInfo().username}@${hostname()}`;

/** Each command, and its name in the log; commands without changes are marked. */
const COMMANDS: Readonly<Record<string, string>> = {
  serve:
    'with --migrate CommandLine.Migrate, by the same function as migrate; the service records what is done through it',
  migrate: 'CommandLine.Migrate',
  distribute: 'CommandLine.Distribute, and where there is no Citus it changes nothing',
  roles: 'CommandLine.RepairRoles',
  doctor: 'changes nothing',
  'clients create': 'ClientAdminService.CreateClient',
  'upgrade-check': 'changes nothing',
  'keys create': 'CredentialAdminService.CreateCredential',
  'users create': 'ConsoleUserAdminService.CreateConsoleUser',
  'users reset-second-factor':
    'ConsoleUserAdminService.ResetConsoleUserSecondFactor: test/security/second-factor-keys.test.ts',
  'secrets seal': 'CommandLine.SealSecrets: test/security/key-rotation.test.ts',
  'clock confirm': 'CommandLine.ConfirmClock: test/housekeeping/clock-watch.test.ts',
  verify: 'changes nothing',
  'audit-export': 'changes nothing; the export leaves by hands that hold the database',
  'audit-verify': 'changes nothing',
  'audit-key': 'changes nothing',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function laurel(url: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, LAUREL_DATA: tmpdir(), ...more };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
  return stdout.trim();
}

function entries(db: Database, operation: string) {
  return db.systemUnitOfWork((uow) =>
    uow.query<{ clientId: string; type: string; actor: string; note: string | null }>(
      `select client_id as "clientId", actor_type as type, actor_name as actor, note from audit_entry
        where operation = $1 order by client_id`,
      [operation],
    ),
  );
}

test('every command on the database is in the list, with its entry or the reason why it has none', () => {
  expect(databaseCommands.map(({ name }) => name).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

test('what is made for one client says who made it, and who was behind sudo', TIMEOUT, async () => {
  const { url, db } = database;
  const clientId = await laurel(url, ['clients', 'create', '--name', 'My game']);
  await laurel(url, ['keys', 'create', '--client', clientId, '--name', 'Shop']);
  await laurel(url, ['users', 'create', '--client', clientId, '--email', 'ana@example.com'], { SUDO_USER: 'ana' });
  const by = (actor: string) => [expect.objectContaining({ clientId, type: 'COMMAND_LINE', actor })];
  expect(await entries(db, COMMANDS['clients create']!)).toEqual(by(OPERATOR));
  expect(await entries(db, COMMANDS['keys create']!)).toEqual(by(OPERATOR));
  expect(await entries(db, COMMANDS['users create']!)).toEqual(by(`ana as ${OPERATOR}`));
});

test('repaired roles are in the log of every client, and a run that finds nothing to do in none', TIMEOUT, async () => {
  const { url, db } = database;
  await newClient(db);
  const clients = await db.systemUnitOfWork((uow) => uow.query<{ id: string }>('select id from client order by id'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('revoke delete on campaign from laurel_app');
  await client.end();
  expect(await laurel(url, ['roles'])).toContain('Granted DELETE on campaign');
  const expected = clients.map(({ id }) => ({ clientId: id, type: 'COMMAND_LINE', actor: OPERATOR, note: null }));
  expect(expected.length).toBeGreaterThan(0);
  expect(await entries(db, 'CommandLine.RepairRoles')).toEqual(expected);
  await laurel(url, ['roles']);
  expect(await entries(db, 'CommandLine.RepairRoles')).toEqual(expected);
});

test('a migration is in the log of every client, by name', TIMEOUT, async () => {
  const released = await releasedDatabase('v0.1.0', {
    async prepare(client) {
      const url = new URL(inject('templateUrl'));
      const { rows } = await client.query<{ name: string }>('select current_database() as name');
      url.pathname = `/${rows[0]!.name}`;
      expect(await laurel(url.href, ['migrate'])).toContain('Applied');
    },
  });
  try {
    const { db } = released.database;
    const [{ count }] = (await db.systemUnitOfWork((uow) =>
      uow.query<{ count: number }>('select count(*)::int as count from client'),
    )) as [{ count: number }];
    const recorded = await entries(db, 'CommandLine.Migrate');
    expect(count).toBeGreaterThan(0);
    expect(recorded).toHaveLength(count);
    expect(recorded[0]).toMatchObject({ actor: OPERATOR, note: expect.stringContaining('-audit-trail') });
  } finally {
    await released.database.drop();
  }
});
