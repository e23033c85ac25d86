import { execFile, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { isExecutable } from './is-executable.ts';

const run = promisify(execFile);

/** The programs for a server and its backups. The PostgreSQL that comes with npm has the first two only. */
const NEEDED = ['initdb', 'pg_ctl', 'psql', 'pg_dump', 'pg_restore', 'pg_basebackup', 'pg_receivewal'];

/** The reason to skip a test that needs them. */
export const WITHOUT_PROGRAMS = `No folder has ${NEEDED.join(', ')} of PostgreSQL 15 or later: install a server package.`;

/** The folder of PostgreSQL's programs on this machine: Debian's folders, newest first, or the PATH. */
export const programsFolder: string | undefined = [...debianFolders(), ...pathFolders()].find(
  (folder) => NEEDED.every((program) => isExecutable(join(folder, program))) && majorOf(folder) >= 15,
);

/** The user that runs PostgreSQL if this process is root, because PostgreSQL refuses root. */
export const serverUser = process.getuid?.() === 0 ? userNamed('postgres') : undefined;

/** A server with the machine's own PostgreSQL, like an operator's. */
export type MachineServer = {
  readonly data: string;
  readonly port: number;
  readonly password: string;
  /** The superuser's address, without a database: `${admin}/laurel`. */
  readonly admin: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** The first folder of PostgreSQL's programs of one major release: in the folders of its packages, or on the PATH. */
export function programsOf(major: number, folders: readonly string[] = []): string | undefined {
  const usual = ['/usr/lib/postgresql/%/bin', '/usr/pgsql-%/bin', '/opt/homebrew/opt/postgresql@%/bin'];
  const all = [...folders, ...usual.map((each) => each.replace('%', String(major))), ...pathFolders()];
  return all.find(
    (folder) =>
      ['initdb', 'pg_ctl', 'postgres'].every((program) => isExecutable(join(folder, program))) &&
      majorOf(folder, 'postgres') === major,
  );
}

/** The programs of a server, and its settings beside the address. */
export type ServerOptions = {
  readonly programs?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * Creates a server in `data`, whose parent folder exists and belongs to the server's user, and starts it on 127.0.0.1.
 * @throws if {@link programsFolder} is undefined and no other folder is named
 */
export async function makeServer(
  data: string,
  port: number,
  { programs = programsFolder!, settings: more }: ServerOptions = {},
): Promise<MachineServer> {
  const server = serverIn(data, port, programs);
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, server.password);
  if (serverUser) chownSync(passwordFile, serverUser.uid, serverUser.gid);
  await asServerUser(join(programs, 'initdb'), [
    `--pgdata=${data}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    shared_buffers: '64MB',
    ...more,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, 'postgresql.conf'), lines.join(''), { flag: 'a' });
  await server.start();
  return server;
}

/** The server of the files in `data`, present or future. */
function serverIn(data: string, port: number, programs: string): MachineServer {
  const password = 'of-a-test';
  const log = `${data}.log`;
  const control = (...args: string[]) =>
    asServerUser(join(programs, 'pg_ctl'), [...args, `--pgdata=${data}`, '--wait', '--silent']);
  return {
    data,
    port,
    password,
    admin: `postgres://postgres:${password}@127.0.0.1:${port}`,
    start: () => control('start', `--log=${log}`),
    stop: () => control('stop', '--mode=immediate'),
  };
}

/** An empty folder that the server's user may write. */
export function serverFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  if (serverUser) chownSync(path, serverUser.uid, serverUser.gid);
  return path;
}

async function asServerUser(program: string, args: readonly string[]): Promise<void> {
  // A server that inherits the pipes would keep them open.
  await run(program, [...args], {
    ...serverUser,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
}

function debianFolders(): string[] {
  try {
    const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join('/usr/lib/postgresql', version, 'bin'));
  } catch {
    return [];
  }
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}

function majorOf(folder: string, program = 'pg_dump'): number {
  const { stdout } = spawnSync(join(folder, program), ['--version'], { encoding: 'utf8' });
  return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0);
}

function userNamed(name: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
  if (!uid || !gid) throw new Error(`There is no user ${name} to run PostgreSQL.`);
  return { uid, gid };
}

/** Runs a query as the server's superuser, in a database or the maintenance database. */
export async function ask<Row extends object>(
  { admin }: Pick<MachineServer, 'admin'>,
  sql: string,
  database = 'postgres',
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: `${admin}/${database}` });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
