import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A measurement by pgbench. */
export type PgbenchResult = {
  /** All committed transactions. */
  readonly transactions: number;
  readonly transactionsPerSecond: number;
  /** The average milliseconds of one transaction. */
  readonly averageLatency: number;
};

/** The task of pgbench. */
export type PgbenchTask = {
  /** A file of SQL in pgbench's dialect: one transaction. */
  readonly script: string;
  readonly databaseUrl: string;
  /** Concurrent connections. */
  readonly clients: number;
  readonly seconds: number;
};

/** Measures the speed of a transaction for a client written in C, with prepared statements. */
export type Pgbench = (task: PgbenchTask) => Promise<PgbenchResult>;

/**
 * Finds pgbench on the PATH, or in Debian's folders.
 * @throws Error with the way to install it
 */
export async function findPgbench(): Promise<Pgbench> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...(await debianFolders())];
  for (const folder of folders) {
    const program = join(folder, 'pgbench');
    const runs = await run(program, ['--version']).then(
      () => true,
      () => false,
    );
    if (runs) return (task) => measure(program, task);
  }
  throw new Error(
    'This benchmark needs pgbench, which comes with PostgreSQL, on the PATH or in /usr/lib/postgresql/*/bin. ' +
      'Install it: `apt-get install postgresql-contrib`, `dnf install postgresql-contrib` or `brew install postgresql`.',
  );
}

async function debianFolders(): Promise<string[]> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(root, version, 'bin'));
}

async function measure(program: string, task: PgbenchTask): Promise<PgbenchResult> {
  const { hostname, port, username, password, pathname } = new URL(task.databaseUrl);
  const args = {
    '--host': hostname,
    '--port': port,
    '--username': username,
    '--file': task.script,
    '--client': String(task.clients),
    '--jobs': String(Math.min(task.clients, 2)),
    '--time': String(task.seconds),
    '--protocol': 'prepared',
  };
  const { stdout } = await run(program, ['--no-vacuum', ...Object.entries(args).flat(), pathname.slice(1)], {
    env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
  });
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  if (figure(/number of failed transactions: (\d+)/) > 0) throw new Error(`Transactions failed:\n${stdout}`);
  return {
    transactions: figure(/^number of transactions actually processed: (\d+)/m),
    transactionsPerSecond: figure(/^tps = ([\d.]+)/m),
    averageLatency: figure(/^latency average = ([\d.]+) ms/m),
  };
}
