import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { distribute } from '../../src/persistence/distributed/distribute.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { createDatabase, databaseName, dropDatabase } from './databases.ts';

/** The servers of a Citus cluster for test databases. */
export type Cluster = {
  /** The address of the coordinator. */
  readonly url: string;
  /** The addresses of the other nodes, with the login of the coordinator. */
  readonly nodeUrls: readonly string[];
};

/** The cluster of the database at `url`. @throws Error if it has no nodes */
export async function clusterOf(url: string): Promise<Cluster> {
  const rows = await ask<{ host: string; port: number }>(
    url,
    `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by nodeid`,
  );
  if (rows.length === 0)
    throw new Error('CITUS_URL leads to a database without nodes: add them with citus_add_node().');
  return { url, nodeUrls: rows.map(({ host, port }) => at(url, host, port)) };
}

/** A migrated and distributed database on all servers, with `shardCount` shards. */
export async function createDistributed(cluster: Cluster, name: string, shardCount: number): Promise<string> {
  const [url = '', ...nodeUrls] = await onAll(cluster, (server) => createDatabase(server, name));
  for (const each of [url, ...nodeUrls]) await ask(each, 'create extension citus');
  const { hostname, port } = new URL(url);
  await ask(url, 'select citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const each of nodeUrls) {
    const node = new URL(each);
    await ask(url, 'select citus_add_node($1, $2)', [node.hostname, Number(node.port)]);
  }
  await migrate(url);
  await ask(url, `alter database ${name} set citus.shard_count = ${shardCount}`);
  await distribute(url);
  return url;
}

/** Shards of the template: few, because each test file creates all of them. */
const TEMPLATE_SHARDS = 4;

/**
 * A migrated and distributed database as a template for copies. Later connections to it are refused, or copying fails; Citus' own daemon
 * would connect.
 */
export async function createDistributedTemplate(cluster: Cluster, name: string): Promise<string> {
  const url = await createDistributed(cluster, name, TEMPLATE_SHARDS);
  await onAll(cluster, async (server) => {
    await ask(server, `set citus.enable_ddl_propagation = off; alter database ${name} allow_connections false`);
    await ask(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
  return url;
}

/** A copy of the template on all servers, under one name, by which they find each other. */
export async function copyDistributed(cluster: Cluster, name: string, template: string): Promise<string> {
  const [url = ''] = await onAll(cluster, (server) => createDatabase(server, name, template));
  // A copy does not include the settings of the database.
  await distribute(url);
  return url;
}

export async function dropDistributed(cluster: Cluster, url: string): Promise<void> {
  const name = databaseName(url);
  await onAll(cluster, (server) => dropDatabase(server, at(server, undefined, undefined, name)));
}

function onAll<T>({ url, nodeUrls }: Cluster, work: (url: string) => Promise<T>): Promise<T[]> {
  return Promise.all([url, ...nodeUrls].map(work));
}

/** An address with another host, port or database. */
function at(url: string, host?: string, port?: number, database?: string): string {
  const other = new URL(url);
  if (host !== undefined) other.hostname = host;
  if (port !== undefined) other.port = String(port);
  if (database !== undefined) other.pathname = `/${database}`;
  return other.href;
}

async function ask<Row extends object>(url: string, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // The loss of a crashed node fails the statement, not the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Makes a node end all its sessions and recover, as after the death of one of its processes; resolves when it accepts connections again. It
 * uses the program of a session, so that the node may be on another machine.
 * @param database any database on the node
 */
export async function crash(nodeUrl: string, database: string): Promise<void> {
  const url = at(nodeUrl, undefined, undefined, database);
  await ask(url, `copy (select 1) to program 'kill -9 $PPID'`).catch(() => {});
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ask(url, 'select 1');
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(200);
    }
  }
}
