import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEmbedded } from '../support/embedded.ts';
import { blocks, mustRun, runBlock } from '../support/backup-page.ts';
import { laurel, SECRET_KEY } from '../support/laurel.ts';
import { freePort } from '../support/free-port.ts';
import {
  ask,
  type MachineServer,
  makeServer,
  programsFolder,
  serverFolder,
  serverUser,
  WITHOUT_PROGRAMS,
} from '../support/server-programs.ts';
import type { Tenant } from '../support/service.ts';
import { expectThere, createTenant, play } from './played-service.ts';

// Milliseconds: whole servers are created, copied and replayed.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ran = new Set<string>();
const must = async (name: string, env: Record<string, string>) => {
  ran.add(name);
  return mustRun(name, env);
};

let folder: string;

beforeAll(async () => {
  // The process number lets a later run remove the files of a killed run.
  folder = await mkdtemp(join(tmpdir(), `laurel-test-${process.pid}-backup-`));
  chmodSync(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(programsFolder === undefined)('a PostgreSQL of the operator', () => {
  let server: MachineServer;
  let tenant: Tenant;
  let env: Record<string, string>;
  let answered: Awaited<ReturnType<typeof play>>;

  const url = () => `postgres://laurel:${server.password}@127.0.0.1:${server.port}/laurel`;
  const secrets = { LAUREL_SECRET_KEYS: SECRET_KEY, LAUREL_DATA: tmpdir() };
  const look = () => must('look', { ...secrets, DATABASE_URL: url() });
  const more = async (name: string) => answered.push(...(await play(url(), tenant, [`${name}-1`, `${name}-2`])));

  beforeAll(async () => {
    const own = serverFolder(join(folder, 'server'));
    server = await makeServer(join(own, 'data'), await freePort());
    const backup = serverFolder(join(own, 'backup'));
    serverFolder(join(backup, 'stream'));
    env = { ADMIN: server.admin, PASSWORD: server.password, PGDATA: server.data, BACKUP: backup };
    env = { ...env, ARCHIVE_TIMEOUT: '60s', UNTIL: '' };
    await makeLogin(server);
    expect(await laurel(['migrate'], { DATABASE_URL: url() })).toMatchObject({ code: 0 });
    tenant = await createTenant(url());
    answered = await play(url(), tenant, ['first']);
  });
  afterAll(() => server.stop().catch(() => {}));

  /** The loss of the machine. */
  async function lose(): Promise<void> {
    await server.stop();
    await rm(server.data, { recursive: true });
  }

  test('a dump, restored into a new server, has everything that was answered before', async () => {
    const words = await must('backup-login', env);
    const password = /told this once: (\S+)/.exec(words)![1]!;
    const backupUrl = `postgres://laurel_backup:${password}@127.0.0.1:${server.port}/laurel`;
    await must('dump', { ...env, BACKUP_URL: backupUrl });
    await lose();
    server = await makeServer(server.data, server.port);
    await must('restore-dump', env);
    expect(await look()).toMatch(/All is well.*No difference/s);
    await expectThere(url(), tenant, answered);
    answered.push({ operationId: 'after-1', answer: expect.anything() });
  });

  test('the archive of the log has what came after the base backup, up to the last file', async () => {
    await must('archive-folder', env);
    await must('archive', env);
    await must('restart', env);
    await expect.poll(() => must('archive-look', env), { timeout: 60_000 }).toMatch(/^ 0{7}1[0-9A-F]{16} /m);
    await must('base-backup', env);
    await more('archived');
    const file = /[0-9A-F]{24}/.exec(await must('switch', env))![0];
    const isArchived = `select last_archived_wal >= '${file}' as yes from pg_stat_archiver`;
    await expect.poll(() => ask(server, isArchived), { timeout: 30_000 }).toEqual([{ yes: true }]);
    await lose();
    await must('restore-base', env);
    expect(await look()).toMatch(/All is well.*No difference/s);
    await expectThere(url(), tenant, answered);
    answered.push({ operationId: `after-${answered.length}`, answer: expect.anything() });
  });

  test('a synchronous receiver of the log has every event that was answered', async () => {
    await rm(join(env['BACKUP']!, 'base'), { recursive: true });
    await must('base-backup', env);
    await must('receiver-slot', env);
    const receiver = startReceiver(env);
    const isReceiving = `select state from pg_stat_replication where application_name = 'pg_receivewal'`;
    await expect.poll(() => ask(server, isReceiving), { timeout: 30_000 }).toEqual([{ state: 'streaming' }]);
    await must('synchronous', env);
    await more('streamed');
    receiver.kill('SIGKILL');
    await once(receiver, 'exit');
    await lose();
    await must('restore-base', env);
    expect(await look()).toMatch(/All is well.*No difference/s);
    await expectThere(url(), tenant, answered);
  });

  /** In the background, like a service of the operator's system. */
  function startReceiver(variables: Record<string, string>): ChildProcess {
    ran.add('receiver');
    return spawn('bash', ['-euc', blocks.get('receiver')!.script], {
      ...serverUser,
      cwd: '/',
      stdio: 'ignore',
      env: { PATH: `${programsFolder}:${process.env.PATH}`, ...variables },
    });
  }
});

test('a cold copy of the embedded PostgreSQL has everything, the secret key too', async () => {
  const data = join(folder, 'checkout', '.laurel');
  const backup = join(folder, 'copies');
  serverFolder(backup);
  const embedded = await openEmbedded(data);
  const tenant = await createTenant(embedded.url);
  const answered = await play(embedded.url, tenant, ['one', 'two']);
  const env = { LAUREL_DATA: data, BACKUP: backup };

  ran.add('cold-copy');
  expect((await runBlock('cold-copy', env)).code).not.toBe(0);
  expect(existsSync(join(backup, 'laurel'))).toBe(false);

  await embedded.close();
  await must('cold-copy', env);
  await rm(data, { recursive: true });
  await must('restore-copy', env);
  const words = await must('look', { LAUREL_DATA: data, LAUREL_SECRET_KEYS: SECRET_KEY });
  expect(words).toMatch(/All is well.*No difference/s);
  const again = await openEmbedded(data);
  await expectThere(again.url, tenant, answered);
  await again.close();
});

test('every command of the page is run', ({ skip }) => {
  skip(programsFolder === undefined, WITHOUT_PROGRAMS);
  expect([...blocks.keys()].filter((name) => !ran.has(name))).toEqual([]);
  expect(blocks.size).toBeGreaterThan(10);
});

async function makeLogin({ admin, password }: MachineServer): Promise<void> {
  await ask({ admin }, `create role laurel login createrole password '${password}'`);
  await ask({ admin }, `create database laurel owner laurel template template0 encoding 'UTF8'`);
}
