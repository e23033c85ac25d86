import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresBinaries } from '../../../src/persistence/postgres/postgres-binaries.ts';
import { freePort } from '../../support/free-port.ts';
import { isExecutable } from '../../support/is-executable.ts';
import { noteStarted } from '../../support/started-processes.ts';

/** PgBouncer on this machine: in Debian's folder, or on the path. Undefined if it is not installed. */
export const pgbouncerProgram: string | undefined = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map((folder) => join(folder, 'pgbouncer'))
  .find(isExecutable);

/** A PgBouncer in transaction mode, which a test may kill. */
export type Pgbouncer = {
  /** The database's address through PgBouncer. */
  readonly url: string;
  /** Sends SIGKILL, and resolves after the process has ended. */
  kill(): Promise<void>;
  /** Starts it at the same address, and resolves when it accepts connections. */
  start(): Promise<void>;
  /** Kills it and removes its files. */
  remove(): Promise<void>;
};

/** The maximum milliseconds until it accepts connections. */
const TIMEOUT_MS = 10_000;

/**
 * Starts a PgBouncer in front of the database at `databaseUrl`; its clients use the login of that address.
 * @throws if {@link pgbouncerProgram} is undefined
 */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const database = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'laurel-pgbouncer-'));
  const port = await freePort();
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  await writeFile(users, `"${database.username}" "${database.password}"\n`, { mode: 0o600 });
  await writeFile(settings, settingsOf(database, port, folder));
  // PgBouncer refuses to run as root, like PostgreSQL.
  const { user } = await postgresBinaries();
  if (user) for (const path of [folder, users, settings]) await chown(path, user.uid, user.gid);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(pgbouncerProgram!, ['--quiet', settings], { ...user, cwd: '/', stdio: 'ignore' });
    noteStarted(child);
    for (const deadline = Date.now() + TIMEOUT_MS; !(await takesConnections(port)); await sleep(20)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`PgBouncer does not start in ${folder}.`);
    }
  }

  async function kill(): Promise<void> {
    const gone = once(child!, 'exit');
    child!.kill('SIGKILL');
    await gone;
  }

  await start();
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    start,
    kill,
    async remove() {
      if (child?.exitCode === null && child.signalCode === null) await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf(database: URL, port: number, folder: string): string {
  const name = database.pathname.slice(1);
  return `[databases]
${name} = host=${database.hostname} port=${database.port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
; Its defaults, 15 s each, would be most of what is measured.
server_login_retry = 1
server_connect_timeout = 3
; A connection to a server that is gone without a word is lent to one client after the other, each of which has to find
; out. These end it: what nobody uses after 5 s, what is used once a statement takes longer than the service allows.
server_idle_timeout = 5
query_timeout = 20
logfile = ${join(folder, 'pgbouncer.log')}
`;
}

async function takesConnections(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true));
  socket.once('error', () => resolve(false));
  await promise;
  socket.destroy();
  return promise;
}
