import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runScript } from '../support/backup-page.ts';
import { laurel } from '../support/laurel.ts';
import { freePort } from '../support/free-port.ts';
import {
  ask,
  type MachineServer,
  makeServer,
  programsFolder,
  serverFolder,
  serverUser,
} from '../support/server-programs.ts';
import { createTenant } from './played-service.ts';

// Milliseconds: whole servers are created.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describe.skipIf(programsFolder === undefined)(
  'a dump or a restore that went wrong does not end in a service that starts',
  () => {
    let folder: string;
    let old: MachineServer;
    let next: MachineServer;
    let copies = 0;

    const urlOf = ({ port, password }: MachineServer, database: string) =>
      `postgres://laurel:${password}@127.0.0.1:${port}/${database}`;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), `laurel-test-${process.pid}-wrong-`));
      serverFolder(folder);
      [old, next] = [await newServer('old'), await newServer('next')];
      await ask(old, 'create database laurel owner laurel');
      expect(await laurel(['migrate'], { DATABASE_URL: urlOf(old, 'laurel') })).toMatchObject({ code: 0 });
      await createTenant(urlOf(old, 'laurel'));
      expect(await shell(`pg_dump --format=custom --file=${folder}/whole.dump ${old.admin}/laurel`)).toMatchObject({
        code: 0,
      });
    });
    afterAll(async () => {
      for (const server of [old, next]) await server?.stop().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    });

    async function newServer(name: string): Promise<MachineServer> {
      const server = await makeServer(join(folder, name), await freePort());
      await ask(server, `create role laurel login createrole password '${server.password}'`);
      return server;
    }

    const shell = (script: string) => runScript(script, {}, serverUser !== undefined);

    /** An empty database of the service's login. */
    async function emptyOn(server: MachineServer): Promise<string> {
      copies += 1;
      const name = `restored_${copies}`;
      await ask(server, `create database ${name} owner laurel template template0 encoding 'UTF8'`);
      return name;
    }

    /** Whether the service starts, and the messages of the service and the doctor. */
    async function looked(server: MachineServer, database: string, env: Record<string, string> = {}) {
      const settings = { DATABASE_URL: urlOf(server, database), ...env };
      const [served, doctor] = await Promise.all([laurel(['serve'], settings), laurel(['doctor'], settings)]);
      expect(doctor.code).toBe(served.served ? 0 : 1);
      return { served: served.served, words: served.words, doctorWords: doctor.words };
    }

    test('a dump by the login of the service is refused', async () => {
      const dumped = await shell(`pg_dump --format=custom --file=${folder}/own.dump ${urlOf(old, 'laurel')}`);
      expect(dumped.code).not.toBe(0);
      expect(dumped.words).toContain('row-level security');
    });

    test('a dump under row-level security has no rows, and where it was restored the service says so', async () => {
      // The state of every login since PostgreSQL 16: roles have no effect before the login takes them.
      await ask(old, 'alter role laurel noinherit');
      const dumped = await shell(
        `pg_dump --enable-row-security --format=custom --file=${folder}/rls.dump ${urlOf(old, 'laurel')}`,
      );
      await ask(old, 'alter role laurel inherit');
      expect(dumped.code).toBe(0);
      const database = await emptyOn(old);
      expect(
        await shell(`pg_restore --exit-on-error --dbname=${old.admin}/${database} ${folder}/rls.dump`),
      ).toMatchObject({
        code: 0,
      });
      const { served, words, doctorWords } = await looked(old, database);
      expect(served).toBe(false);
      for (const output of [words, doctorWords]) {
        expect(output).toContain('taken under row-level security and holds no rows: no client, no account, no balance');
      }
    });

    test('a restore into a new server without the roles stops at once if it may, and else the service does not start', async () => {
      const strict = await emptyOn(next);
      const stopped = await shell(
        `pg_restore --exit-on-error --single-transaction --dbname=${next.admin}/${strict} ${folder}/whole.dump`,
      );
      expect(stopped.code).not.toBe(0);
      expect(stopped.words).toMatch(/role "laurel_\w+" does not exist/);
      expect((await looked(next, strict)).words).toContain('holds no Laurel');

      const lenient = await emptyOn(next);
      const errors = await shell(`pg_restore --dbname=${next.admin}/${lenient} ${folder}/whole.dump`);
      expect(errors.words).toMatch(/errors ignored on restore: \d{2,}/);
      const first = await looked(next, lenient);
      expect(first.served).toBe(false);
      for (const output of [first.words, first.doctorWords]) {
        expect(output).toContain('There is no role laurel_app on this server');
        expect(output).toContain('have no policy for laurel_app');
      }

      // The roles alone do not restore the policies, and the message says so as well.
      expect(await laurel(['roles', '--login', 'laurel'], { DATABASE_URL: `${next.admin}/${lenient}` })).toMatchObject({
        code: 0,
      });
      const second = await looked(next, lenient);
      expect(second.served).toBe(false);
      expect(second.words).not.toContain('There is no role');
      expect(second.words).toContain('have no policy for laurel_system');
      expect(second.words).toContain('restore again');

      // The suggested remedy works.
      const again = await emptyOn(next);
      expect(
        await shell(
          `pg_restore --exit-on-error --single-transaction --dbname=${next.admin}/${again} ${folder}/whole.dump`,
        ),
      ).toMatchObject({ code: 0 });
      expect((await looked(next, again)).served).toBe(true);
    });

    test('a restore of the first sections only, without keys and policies, does not start', async () => {
      const database = await emptyOn(old);
      await shell(
        `pg_restore --section=pre-data --section=data --dbname=${old.admin}/${database} ${folder}/whole.dump`,
      );
      const { served, words } = await looked(old, database);
      expect(served).toBe(false);
      expect(words).toContain('The unique key account_pkey of account is missing');
      expect(words).toContain('Row-level security is off on');
    });

    test('a restore without the secret key does not start, and no new key hides the loss', async () => {
      const database = await emptyOn(old);
      await shell(`pg_restore --exit-on-error --dbname=${old.admin}/${database} ${folder}/whole.dump`);
      const data = join(folder, 'new-host');
      const { served, words, doctorWords } = await looked(old, database, { LAUREL_SECRET_KEYS: '', LAUREL_DATA: data });
      expect(served).toBe(false);
      for (const output of [words, doctorWords])
        expect(output).toMatch(/1 webhook holds a secret .*secret\.key has no key/);
      expect(existsSync(join(data, 'secret.key'))).toBe(false);
    });

    test('a dump of an older release says that it is one, and starts when it is migrated', async () => {
      const database = await emptyOn(old);
      // The fixture names no owners, so that the restoring login owns everything.
      const fixture = readFileSync(new URL('../fixtures/v0.1.0/database.sql', import.meta.url), 'utf8');
      await ask(old, fixture, database);
      await ask(
        old,
        `do $$ declare t record; begin
      for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
        execute format('alter table %I owner to laurel', t.relname);
      end loop; end $$; alter function folded(text) owner to laurel; alter view account_search owner to laurel_system`,
        database,
      );
      const played = JSON.parse(readFileSync(new URL('../fixtures/v0.1.0/played.json', import.meta.url), 'utf8')) as {
        secretKeys: string;
      };
      const env = { LAUREL_SECRET_KEYS: played.secretKeys };
      const before = await looked(old, database, env);
      expect(before.served).toBe(false);
      expect(before.words).toMatch(/lacks \d+ migration/);
      expect(before.words).toContain('laurel -- migrate');
      const settings = { DATABASE_URL: urlOf(old, database), ...env };
      // The restoring login is not the migrating one, so that later tables would lack their rights.
      for (const command of ['roles', 'migrate']) expect(await laurel([command], settings)).toMatchObject({ code: 0 });
      const after = await looked(old, database, env);
      expect(after.served, after.words).toBe(true);
      expect(await laurel(['verify'], settings)).toMatchObject({
        code: 0,
        words: expect.stringMatching(/No difference in [1-9]/),
      });
    });

    test('on this release, too, a login that owns nothing may serve, once the login that migrates has let it', async () => {
      await ask(old, `create role operator login noinherit password '${old.password}'`);
      const operator = { DATABASE_URL: urlOf(old, 'laurel').replace('//laurel:', '//operator:') };
      const before = await laurel(['serve'], operator);
      expect(before).toMatchObject({ served: false, code: 1 });
      expect(before.words).toContain('roles --login operator');
      const owner = { DATABASE_URL: urlOf(old, 'laurel') };
      expect(await laurel(['roles', '--login', 'operator'], owner)).toMatchObject({ code: 0 });
      expect(await laurel(['serve'], operator)).toMatchObject({ served: true });
    });
  },
);
