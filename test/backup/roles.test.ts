import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { laurel } from '../support/laurel.ts';
import { settings } from './broken-databases.ts';
import { type BrokenStage, brokenStage } from './broken-stage.ts';

// Milliseconds: a separate server is created.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let stage: BrokenStage;

beforeAll(async () => {
  stage = await brokenStage('roles');
});
afterAll(() => stage.remove());

/** The addresses of one new database, by login. */
async function fresh() {
  const url = await stage.fresh();
  const as = (login: string) => Object.assign(new URL(url), { username: login }).href;
  return { operator: url, owner: as('laurel'), superuser: as('postgres') };
}

const roles = (url: string, ...args: string[]) => laurel(['roles', ...args], settings(url));

test('where everything is there it changes nothing, the first time and the second', async () => {
  const { owner, superuser, operator } = await fresh();
  for (const url of [owner, superuser]) {
    expect(await roles(url)).toMatchObject({ code: 0, words: 'All of it is there already.\n' });
  }
  expect(await laurel(['doctor'], settings(operator))).toMatchObject({ code: 0 });
});

test('it grants again what is missing, and nothing that migrations withhold', async () => {
  const { owner, operator } = await fresh();
  await stage.asSuperuser(
    operator,
    `revoke insert, delete on account from laurel_app; revoke all on point_entry from laurel_app, laurel_system;
     revoke all on whole_dump from laurel_system;
     alter default privileges for role laurel in schema public revoke all on tables from laurel_app;`,
  );
  expect(await laurel(['doctor'], settings(operator))).toMatchObject({ code: 1 });
  const { code, words } = await roles(owner);
  expect(code).toBe(0);
  expect(words).toContain('Granted INSERT, DELETE on account to laurel_app.');
  expect(words).toContain('Granted SELECT, INSERT on point_entry to laurel_app.');
  expect(words).toContain('Granted SELECT on whole_dump to laurel_system.');
  expect(words).toContain('Tables that laurel creates later give laurel_app its rights.');
  expect(await laurel(['doctor'], settings(operator))).toMatchObject({ code: 0 });
  expect(await roles(owner)).toMatchObject({ code: 0, words: 'All of it is there already.\n' });
});

test("another login is let to serve, also in a schema that is not everybody's: it takes the roles and owns nothing", async () => {
  const { superuser, operator } = await fresh();
  const password = new URL(operator).password;
  await stage.asSuperuser(
    operator,
    `create role another login password '${password}'; revoke all on schema public from public;`,
  );
  const another = Object.assign(new URL(operator), { username: 'another' }).href;
  const before = await laurel(['doctor'], settings(another));
  expect(before).toMatchObject({ code: 1 });
  expect(before.words).toContain('roles --login another');
  expect(await roles(superuser, '--login', 'another')).toMatchObject({ code: 0 });
  expect(await laurel(['doctor'], settings(another))).toMatchObject({ code: 0 });
  expect(await laurel(['serve'], settings(another))).toMatchObject({ served: true });
  expect(await roles(superuser, '--login', 'another')).toMatchObject({ words: 'All of it is there already.\n' });
});

test('a login that does not exist is reported', async () => {
  const { superuser } = await fresh();
  const { code, words } = await roles(superuser, '--login', 'nobody_here');
  expect(code).toBe(1);
  expect(words).toContain('There is no login nobody_here');
});

test('a login that may not make roles changes nothing, and gets the SQL for a superuser, without a password', async () => {
  const { owner, operator } = await fresh();
  const { code, words } = await roles(owner, '--backup-login', 'dumps');
  expect(code).toBe(1);
  expect(words).toContain('nothing was changed');
  expect(words).toMatch(/create role "dumps" login bypassrls password '<choose one>'/);
  const found = await laurel(['roles'], settings(operator));
  expect(found.words).not.toContain('dumps');
});

test('the backup login reads every row and writes none', async () => {
  const { superuser, operator } = await fresh();
  const { words } = await roles(superuser, '--backup-login', 'dumps');
  const password = /told this once: (\S+)/.exec(words)![1]!;
  const url = Object.assign(new URL(operator), { username: 'dumps', password }).href;
  await expect(stage.ask(url, 'select count(*)::int as clients from client')).resolves.toEqual([{ clients: 1 }]);
  await expect(stage.ask(url, `delete from client`)).rejects.toThrow(/read-only|permission denied/);
  await expect(stage.ask(url, 'begin read write; delete from client')).rejects.toThrow('permission denied');
});

test('on a new server, in an empty database, it makes the roles and says so', async () => {
  const { superuser } = await fresh();
  await stage.asSuperuser(stage.superuserUrl, 'alter role laurel_app rename to kept_app');
  try {
    const empty = Object.assign(new URL(superuser), { pathname: '/postgres' }).href;
    const { code, words } = await roles(empty, '--login', 'laurel');
    expect(code).toBe(0);
    expect(words).toContain('Created the role laurel_app.');
    expect(words).toContain('The login laurel may take the role laurel_app now.');
    // Before a restore no audit log exists, so the change is not recorded.
    expect(words).not.toContain('audit log');
  } finally {
    await stage.asSuperuser(
      stage.superuserUrl,
      'drop role if exists laurel_app; alter role kept_app rename to laurel_app',
    );
  }
});
