import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connectClient } from '../driver/driver.ts';
import { type Cluster, clusterData, dropStalePid, openCluster, pgCtl, postmaster } from './postgres-cluster.ts';

/** A PostgreSQL that belongs to this checkout. */
export type EmbeddedPostgres = {
  /** The URL of the database `laurel` for the login `laurel`, which owns the database and is no superuser. */
  readonly url: string;
  /** Stops the server, unless another process still uses it and will stop it. */
  close(): Promise<void>;
};

/** The options of {@link startEmbeddedPostgres}. */
export type EmbeddedPostgresOptions = {
  /** The folder for data, password and port; created if missing. A folder has one server. */
  readonly folder: string;
  /** Settings beyond the usual ones, by their PostgreSQL names. */
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * The settings for a machine that the server shares with the service. Durability is PostgreSQL's default: an answered commit survives a
 * crash. No Unix socket, because its path may be too long below a deep checkout.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // The cost of SSDs.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * An eighth of the machine's memory, at most 2 GB; PostgreSQL takes only what it fills. With a million accounts the service
 * then applied 0.84 to 0.91 of the events per second that it does with ten thousand; with 256 MB it was 0.53 to 0.69
 * (`npm run bench -- growth:triggers`).
 */
function sharedBuffersMb(): number {
  return Math.round(Math.min(Math.max(totalmem() / 8 / 2 ** 20, 128), 2_048));
}

/** Milliseconds to wait for a server that another process starts or stops. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts the PostgreSQL of `folder`, or uses the running one that a killed process has left.
 * @throws Error with PostgreSQL's message if it cannot start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const cluster = await openCluster(folder);
  const port = (await runningPort(cluster)) ?? (await start(cluster, folder, { ...SETTINGS, ...options.settings }));
  const admin = urlOf(cluster, port, 'postgres', 'postgres');
  await ensureLoginAndDatabase(admin, cluster.password);
  return {
    url: urlOf(cluster, port, 'laurel', 'laurel'),
    async close() {
      if (await isUnused(admin)) await pgCtl(cluster, ['stop', '--mode=fast']);
    },
  };
}

/** The data directory of the PostgreSQL in `folder`, and whether it exists. It changes nothing. */
export async function embeddedData(folder: string): Promise<{ readonly data: string; readonly exists: boolean }> {
  return clusterData(resolve(folder));
}

function urlOf(cluster: Cluster, port: number, login: string, database: string): string {
  return `postgres://${login}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** The port of the server that runs on this data already; waits for one that is starting or stopping. */
async function runningPort(cluster: Cluster): Promise<number | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const server = await postmaster(cluster);
    if (server === undefined) return undefined;
    if (server.data !== undefined && server.data !== cluster.data) throw copiedWhileRunning(server.data, cluster.data);
    if (!server.alive) {
      await dropStalePid(cluster);
      return undefined;
    }
    if (server.port !== undefined && (await serves(cluster, server.port))) return server.port;
    if (Date.now() > deadline) throw new Error(`PostgreSQL ${server.pid} runs on ${cluster.data} and does not answer.`);
    await sleep(100);
  }
}

/** The error for a copy of a running server's files: it may start, with lost or duplicate rows. */
function copiedWhileRunning(from: string, data: string): Error {
  return new Error(
    `${data} was copied from ${from} while PostgreSQL ran there, so that the copy may be torn. Stop the service before you copy (docs/backup.md), and restore a copy that was made so. If it is no copy but was moved after a crash, remove ${join(data, 'postmaster.pid')}.`,
  );
}

/** Whether the server at `port` answers to our password and has our data. */
async function serves(cluster: Cluster, port: number): Promise<boolean> {
  const question = withClient(urlOf(cluster, port, 'postgres', 'postgres'), async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory === cluster.data;
  });
  return question.catch(() => false);
}

async function start(cluster: Cluster, folder: string, settings: Record<string, string>): Promise<number> {
  const port = await choosePort(join(folder, 'port'));
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const log = join(cluster.data, 'server.log');
  try {
    await pgCtl(cluster, ['start', `--log=${log}`, `--options=-p ${port} ${options.join(' ')}`]);
    return port;
  } catch (error) {
    // Two processes may start at once: one of them starts the server, and both use it.
    const winner = await runningPort(cluster);
    if (winner !== undefined) return winner;
    const words = await readFile(log, 'utf8').catch(() => '');
    throw new Error(`PostgreSQL did not start. The end of ${log}:\n${words.slice(-2_000)}`, { cause: error });
  }
}

/** The previous port, so that an open psql finds the server again, or else any free one. */
async function choosePort(file: string): Promise<number> {
  const remembered = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = (await freePort(remembered)) ?? (await freePort(0));
  if (port === undefined) throw new Error('No TCP port is free on 127.0.0.1.');
  await writeFile(file, `${port}\n`);
  return port;
}

/** The port `wanted`, or with 0 any free one; undefined if it is taken. */
async function freePort(wanted: number): Promise<number | undefined> {
  const { promise, resolve: settle } = Promise.withResolvers<number | undefined>();
  const probe = createServer();
  probe.once('error', () => settle(undefined));
  probe.listen(wanted, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => settle(typeof address === 'object' ? address?.port : undefined));
  });
  return promise;
}

/** Creates the login and the database, because the service does not log in as superuser here either. */
async function ensureLoginAndDatabase(admin: string, password: string): Promise<void> {
  await withClient(admin, async (client) => {
    // Another process may start at the same moment. The lock ends with the connection.
    await client.query('select pg_advisory_lock(1)');
    const has = async (sql: string) => ((await client.query(sql)).rowCount ?? 0) > 0;
    if (!(await has(`select from pg_roles where rolname = 'laurel'`))) {
      await client.query(`create role laurel login createrole createdb password ${client.escapeLiteral(password)}`);
    }
    if (!(await has(`select from pg_database where datname = 'laurel'`))) {
      await client.query('create database laurel owner laurel');
    }
  });
}

/** Whether no other process is connected. A server without an answer counts as used, because it is stopping already. */
async function isUnused(admin: string): Promise<boolean> {
  const others = withClient(admin, (client) =>
    client.query(`select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`),
  );
  return others.then(
    ({ rowCount }) => rowCount === 0,
    () => false,
  );
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectClient({ url, connectMs: 5_000 });
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
