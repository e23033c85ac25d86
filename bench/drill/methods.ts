import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blocks, mustRun } from '../../test/support/backup-page.ts';
import { freePort } from '../../test/support/free-port.ts';
import { ask, makeServer, programsFolder, serverFolder, serverUser } from '../../test/support/server-programs.ts';
import type { Method, Prepared, Workspace } from './method.ts';

/** Seconds after which PostgreSQL archives an unfinished file of its log; a minute is usual, a drill is shorter. */
const ARCHIVE_TIMEOUT = 3;

/** Seconds for the command that copies the file. */
const COPYING = 2;

/** The methods of docs/backup.md for an operator's own PostgreSQL. */
export const ownServerMethods: readonly Method[] = [
  {
    name: 'dump',
    promise: 'what came after the dump began',
    keeps: (backupAt) => backupAt,
    prepare: async (workspace) => {
      const stage = await serverStage(workspace);
      const words = await mustRun('backup-login', stage.env);
      const password = /told this once: (\S+)/.exec(words)?.[1];
      const backupUrl = stage.url.replace(/\/\/[^@]+@/, `//laurel_backup:${password}@`);
      return {
        ...stage.prepared,
        async backup() {
          await mustRun('dump', { ...stage.env, BACKUP_URL: backupUrl });
        },
        async restore() {
          await makeServer(stage.env['PGDATA']!, stage.port);
          await mustRun('restore-dump', stage.env);
        },
      };
    },
  },
  {
    name: 'point in time, archive',
    promise: `the last ${ARCHIVE_TIMEOUT + COPYING} s (archive_timeout ${ARCHIVE_TIMEOUT} s)`,
    keeps: (_backupAt, lossAt) => lossAt - (ARCHIVE_TIMEOUT + COPYING) * 1_000,
    prepare: async (workspace) => {
      const stage = await serverStage(workspace);
      await mustRun('archive', stage.env);
      await mustRun('restart', stage.env);
      return { ...stage.prepared, ...baseBackup(stage.env) };
    },
  },
  {
    name: 'point in time, receiver',
    promise: 'nothing',
    keeps: (_backupAt, lossAt) => lossAt,
    prepare: async (workspace) => {
      const stage = await serverStage(workspace);
      await mustRun('receiver-slot', stage.env);
      const stop = startReceiver(stage.env);
      workspace.cleanUps.push(stop);
      const receives = `select from pg_stat_replication where application_name = 'pg_receivewal' and state = 'streaming'`;
      while ((await ask(stage, receives)).length === 0) await sleep(50);
      await mustRun('synchronous', stage.env);
      return {
        ...stage.prepared,
        ...baseBackup(stage.env),
        async lose() {
          await stage.prepared.lose();
          await stop();
        },
      };
    },
  },
];

/** The method for the PostgreSQL that comes with npm. */
export const coldCopy: Method = {
  name: 'embedded, cold copy',
  promise: 'what came after the copy',
  keeps: (backupAt) => backupAt,
  async prepare({ folder, dataFolder }) {
    const env = { LAUREL_DATA: dataFolder, BACKUP: serverFolder(join(folder, 'backup')) };
    return {
      env: { DATABASE_URL: '', LAUREL_EMBEDDED_POSTGRES: 'true' },
      stopsService: true,
      async backup() {
        await mustRun('cold-copy', env);
      },
      async lose() {
        const data = (await readFile(join(dataFolder, 'postgres', 'data-directory'), 'utf8')).trim();
        process.kill(Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGQUIT');
        for (const path of [data, dataFolder]) await rm(path, { recursive: true, force: true, maxRetries: 20 });
      },
      async restore() {
        await mustRun('restore-copy', env);
      },
    };
  },
};

type ServerStage = {
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  readonly admin: string;
  readonly port: number;
  readonly prepared: Pick<Prepared, 'env' | 'stopsService' | 'lose'>;
};

/** A server like an operator's, with an empty database for the service's login. */
async function serverStage({ folder, cleanUps }: Workspace): Promise<ServerStage> {
  const server = await makeServer(join(folder, 'data'), await freePort());
  cleanUps.push(() => server.stop().catch(() => {}));
  for (const name of ['wal', 'stream']) serverFolder(join(folder, name));
  await ask(server, `create role laurel login createrole password '${server.password}'`);
  await ask(server, `create database laurel owner laurel template template0 encoding 'UTF8'`);
  const url = `postgres://laurel:${server.password}@127.0.0.1:${server.port}/laurel`;
  return {
    url,
    admin: server.admin,
    port: server.port,
    env: {
      ADMIN: server.admin,
      PASSWORD: server.password,
      PGDATA: server.data,
      BACKUP: folder,
      ARCHIVE_TIMEOUT: `${ARCHIVE_TIMEOUT}s`,
      UNTIL: '',
    },
    prepared: {
      env: { DATABASE_URL: url },
      stopsService: false,
      async lose() {
        await server.stop();
        await rm(server.data, { recursive: true });
      },
    },
  };
}

function baseBackup(env: Readonly<Record<string, string>>): Pick<Prepared, 'backup' | 'restore'> {
  return {
    async backup() {
      await mustRun('base-backup', env);
    },
    async restore() {
      await mustRun('restore-base', env);
    },
  };
}

/** Runs the receiver in the background, as a system service would. Returns the function that ends it. */
function startReceiver(env: Readonly<Record<string, string>>): () => Promise<void> {
  const receiver = spawn('bash', ['-euc', blocks.get('receiver')!.script], {
    ...serverUser,
    cwd: '/',
    stdio: 'ignore',
    env: { PATH: `${programsFolder}:${process.env.PATH}`, ...env },
  });
  return async () => {
    if (receiver.exitCode !== null || receiver.signalCode !== null) return;
    const ended = once(receiver, 'exit');
    receiver.kill('SIGKILL');
    await ended;
  };
}
