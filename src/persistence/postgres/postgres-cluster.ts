import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, chown, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canTraverse, type PostgresBinaries, postgresBinaries, REACHABLE_FOLDER } from './postgres-binaries.ts';

const run = promisify(execFile);

/** The files of one PostgreSQL server, and its programs. */
export type Cluster = {
  readonly binaries: PostgresBinaries;
  /** The data directory. */
  readonly data: string;
  /** The password of the superuser `postgres` and of the service's login; the server listens on this machine only. */
  readonly password: string;
};

/** The file beside the password with the path of the data directory, once that exists. */
const DATA_FILE = 'data-directory';

/** The content of the server's PID file. */
export type Postmaster = {
  readonly pid: number;
  /** The data directory from the command line of the server. */
  readonly data: string | undefined;
  /** The port; undefined during the start. */
  readonly port: number | undefined;
  /** False for a server that was killed. */
  readonly alive: boolean;
};

/** The cluster of `folder`, an absolute path; created if missing. */
export async function openCluster(folder: string): Promise<Cluster> {
  const binaries = await postgresBinaries();
  await mkdir(folder, { recursive: true });
  const cluster = {
    binaries,
    data: await dataFolder(folder, binaries),
    password: await rememberedPassword(join(folder, 'password')),
  };
  if (!(await hasData(cluster.data))) {
    await assertNeverHadData(folder, cluster.data);
    await initialise(cluster);
  }
  await rememberData(folder, cluster.data);
  return cluster;
}

/** The data directory of `folder`, and whether it exists. It creates nothing. */
export async function clusterData(folder: string): Promise<{ readonly data: string; readonly exists: boolean }> {
  const data = await dataFolder(folder, await postgresBinaries());
  return { data, exists: (await hasData(data)) || (await rememberedData(folder)) !== undefined };
}

/** Runs `pg_ctl`, which waits until the server has started or stopped. */
export async function pgCtl(cluster: Cluster, args: readonly string[]): Promise<void> {
  await runAs(cluster, cluster.binaries.pgCtl, [
    ...args,
    `--pgdata=${cluster.data}`,
    '--wait',
    '--timeout=60',
    '--silent',
  ]);
}

/**
 * The content of `postmaster.pid`: the process in its first line, the data directory in its second, the port in its
 * fourth.
 */
export async function postmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, data: lines[1] || undefined, port: Number(lines[3]) || undefined, alive: await isPostgres(pid) };
}

/**
 * Deletes a stale PID file. PostgreSQL does not start if another process of its user has the same number now, which is likely in a
 * container.
 */
export async function dropStalePid(cluster: Cluster): Promise<void> {
  await rm(pidFile(cluster), { force: true });
}

function pidFile(cluster: Cluster): string {
  return join(cluster.data, 'postmaster.pid');
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Only Linux shows the name of a process; elsewhere the process counts as the server.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  return name.trim() === 'postgres';
}

/** The data directory: inside `folder` if PostgreSQL's user can traverse it, otherwise elsewhere under a name derived from it. */
async function dataFolder(folder: string, { user }: PostgresBinaries): Promise<string> {
  if (user === undefined || (await canTraverse(folder, user))) return join(folder, 'data');
  await mkdir(REACHABLE_FOLDER, { recursive: true, mode: 0o755 });
  return join(REACHABLE_FOLDER, `data-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
}

async function hasData(data: string): Promise<boolean> {
  return exists(join(data, 'PG_VERSION'));
}

/**
 * Data may be outside of `folder` (see `dataFolder`), so a copy of `folder` alone lacks it. A new empty database would hide the loss.
 * @throws Error with the folder to copy
 */
async function assertNeverHadData(folder: string, data: string): Promise<void> {
  const before = await rememberedData(folder);
  if (before === undefined) return;
  throw new Error(
    `The data of this PostgreSQL is missing: it lay in ${before} and has to be in ${data}. Copy it there with its owner (\`cp -a\`, docs/backup.md), or remove ${folder} to begin with an empty database.`,
  );
}

async function rememberedData(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, DATA_FILE), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

async function rememberData(folder: string, data: string): Promise<void> {
  if ((await rememberedData(folder)) !== data) await writeFile(join(folder, DATA_FILE), `${data}\n`);
}

/** The password. Its file is linked into place when it is complete, so that two processes that start at once read the same one. */
async function rememberedPassword(file: string): Promise<string> {
  if (!(await exists(file))) {
    const complete = `${file}.${randomBytes(4).toString('hex')}`;
    // base64url needs no escaping in a URL.
    await writeFile(complete, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    await link(complete, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(complete);
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Creates the database under another name first, so that the rest of an interrupted attempt never counts as a database. */
async function initialise(cluster: Cluster): Promise<void> {
  const made = `${cluster.data}.${randomBytes(4).toString('hex')}`;
  const passwordFile = `${made}.password`;
  const { user } = cluster.binaries;
  await mkdir(made, { mode: 0o700 });
  await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (user !== undefined) for (const path of [made, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    // PostgreSQL's own C.UTF-8 sorts and folds case alike on every machine, independent of the installed locales.
    await runAs(cluster, cluster.binaries.initdb, [
      `--pgdata=${made}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
    await rename(made, cluster.data).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster: its database is as good.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(made, { recursive: true, force: true });
  }
}

/** Runs a program with a minimal environment, so that the server does not get this process's secrets; its messages are in English. */
async function runAs(cluster: Cluster, program: string, args: readonly string[]): Promise<void> {
  const { PATH, SystemRoot } = process.env;
  const options = { ...cluster.binaries.user, cwd: '/', env: { PATH, SystemRoot, LC_ALL: 'C' } };
  await run(program, args, options);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
