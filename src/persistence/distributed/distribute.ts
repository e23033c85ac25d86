import type { Logger } from 'pino';
import { withAdvisoryLock, LOCKS } from '../connections/advisory-lock.ts';
import { pinSession } from '../connections/pinned-settings.ts';
import { type Client, connectClient } from '../driver/driver.ts';
import { pendingMigrations } from '../migrate.ts';
import { SERVICE_ROLES } from '../postgres/service-roles.ts';

/** The result of `laurel distribute`. */
export type Distributed = {
  /** The newly distributed tables; empty if all were already. */
  readonly tables: readonly string[];
  /** Primary nodes that hold shards. */
  readonly nodes: number;
};

/**
 * Settings of every connection to a distributed database, on each node. They mark the database as distributed and
 * propagate settings of a transaction to the nodes, which row-level security needs. Changes of several shards run in
 * one order, which prevents deadlocks.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'laurel.distributed': 'on',
  'citus.propagate_set_commands': 'local',
  'citus.multi_shard_modify_mode': 'sequential',
};

/**
 * Spreads the tables of a migrated database over the nodes of its Citus: clients by `id`, every other table with a `client_id` by that,
 * colocated, so that all rows of a client are on one node. Tables without one (the list of migrations, and the mark of a whole dump) stay
 * on the coordinator. It may be repeated, for example after a migration that added a table: distributed tables stay as they are. Each table
 * is locked while its rows move, so no host may serve meanwhile.
 *
 * @param url the URL of the coordinator; the login owns the tables and sees every row
 * @throws Error with the missing part: the extension, the nodes, migrations, or rights
 */
export async function distribute(url: string, logger?: Logger): Promise<Distributed> {
  const pending = await pendingMigrations(url);
  if (pending.length > 0) throw new Error(`${pending.length} migrations are pending. Run \`laurel migrate\` first.`);
  return withAdvisoryLock({ url, lock: LOCKS.migration, name: 'laurel distribute', logger }, async () => {
    const client = await connectClient({ url, name: 'laurel distribute' });
    try {
      await pinSession(client, { isUnlimited: true });
      const nodes = await requireNodes(client);
      await requireSight(client);
      await configure(client);
      const tables = await undistributed(client);
      for (const table of tables) {
        await spread(client, table);
        logger?.info({ table }, 'distributed');
      }
      await deleteLocalRows(client, tables);
      return { tables, nodes };
    } finally {
      await client.end();
    }
  });
}

/** The number of nodes for rows. */
async function requireNodes(client: Client): Promise<number> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) {
    throw new Error(
      'There is no Citus extension in this database. On the coordinator and on each node, in the database of the same name: ' +
        '`create extension citus`; then add the nodes with citus_add_node() on the coordinator: docs/scale-out.md. ' +
        'Laurel needs none of it on a single PostgreSQL.',
    );
  }
  const { rows } = await client.query<{ nodes: number }>(
    `select count(*)::int as nodes from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`,
  );
  const { nodes } = rows[0]!;
  if (nodes === 0) {
    throw new Error(
      'Citus knows no node that may hold rows. On the coordinator: `select citus_set_coordinator_host(...)`, and ' +
        '`select citus_add_node(...)` for each: docs/scale-out.md.',
    );
  }
  return nodes;
}

/**
 * Checks that the login sees all rows: row-level security also binds the owner of the tables, which would move no row, without an error.
 */
async function requireSight(client: Client): Promise<void> {
  const { rows } = await client.query<{ login: string; sees: boolean }>(
    `select rolname as login, rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user`,
  );
  const { login, sees } = rows[0]!;
  if (sees) return;
  throw new Error(
    `Row-level security binds the login ${login}, so that it sees no row to move. ` +
      'Run this with the DATABASE_URL of a superuser of the coordinator.',
  );
}

/** Configures the nodes. Connections to them use the role of the transaction, so the roles must be able to log in there. */
async function configure(client: Client): Promise<void> {
  for (const role of SERVICE_ROLES) await client.query(`alter role ${role} login`);
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const name = client.escapeIdentifier(rows[0]!.name);
  for (const [setting, value] of Object.entries(SETTINGS)) {
    const sql = `alter database ${name} set ${setting} = '${value}'`;
    await client.query(sql);
    const { rows: answers } = await client.query<{ node: string; success: boolean; result: string }>(
      `select n.nodename || ':' || n.nodeport as node, r.success, r.result
         from run_command_on_workers($1) r
         join pg_dist_node n on n.nodename = r.nodename and n.nodeport = r.nodeport`,
      [sql],
    );
    const failed = answers.find(({ success }) => !success);
    if (failed) throw new Error(`The node ${failed.node} could not be configured: ${failed.result}`);
  }
}

/** Undistributed tables with rows of clients, each after the tables that it refers to. */
async function undistributed(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname::text as name,
            array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
                   where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as needs
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname = 'client' or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped))
        and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
      order by c.relname <> 'client', c.relname`,
  );
  const left = new Map(rows.map(({ name, needs }) => [name, needs]));
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left].find(([, needs]) => needs.every((need) => !left.has(need)));
    // The rest refer to each other in a cycle; PostgreSQL's error about the first explains it.
    const [name] = next ?? [...left][0]!;
    left.delete(name);
    ordered.push(name);
  }
  return ordered;
}

async function spread(client: Client, table: string): Promise<void> {
  const [column, colocated] = table === 'client' ? ['id', 'none'] : ['client_id', 'client'];
  await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
    `public.${client.escapeIdentifier(table)}`,
    column,
    colocated,
  ]);
}

/** Deletes the local copies, because Citus copies rows and does not move them. They are invisible, and take space on the coordinator. */
async function deleteLocalRows(client: Client, tables: readonly string[]): Promise<void> {
  // Reversed order: a table is emptied after the tables that refer to it.
  for (const table of tables.toReversed()) {
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [
      `public.${client.escapeIdentifier(table)}`,
    ]);
  }
}
