import { execFile } from 'node:child_process';
import { chown, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, clusterData } from '../../../src/persistence/postgres/postgres-cluster.ts';

const run = promisify(execFile);

/** Milliseconds to wait for a standby. */
const TIMEOUT_MS = 60_000;

/** Milliseconds for the primary's processes to read a changed setting. */
const RELOAD = 1_000;

export type StandbyOptions = {
  /** The data of the running primary. */
  readonly primary: Cluster;
  /** Its superuser's address. */
  readonly superuserUrl: string;
  /** The address of the primary, with its password. */
  readonly from: string;
  /** The folder of the standby, which does not exist yet. */
  readonly folder: string;
};

/**
 * Copies a running primary into another folder by PostgreSQL's low-level backup, because `pg_basebackup` is not part of the npm package. A
 * server with this folder follows the primary at the address in its setting `primary_conninfo`.
 */
export async function copyAsStandby({ primary, superuserUrl, from, folder }: StandbyOptions): Promise<void> {
  await mkdir(folder);
  await cp(join(from, 'password'), join(folder, 'password'));
  const { data } = await clusterData(folder);
  await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    // Recovery does not need a file that disappears during the copy: the log has all changes.
    await run('cp', ['-a', primary.data, data]).catch((error: Error) => {
      if (!error.message.includes('No such file')) throw error;
    });
    for (const file of ['postmaster.pid', 'postmaster.opts', 'server.log']) await rm(join(data, file), { force: true });
    const log = join(data, 'pg_wal');
    for (const name of await readdir(log)) await rm(join(log, name), { recursive: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const { user } = primary.binaries;
    for (const [name, text] of [
      ['backup_label', rows[0]!.labelfile],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(data, name), text, { mode: 0o600 });
      if (user !== undefined) await chown(join(data, name), user.uid, user.gid);
    }
  });
}

/** The value of `primary_conninfo` for a standby of the server at `superuserUrl`. */
export function connectionOf(superuserUrl: string): string {
  const { hostname, port, username, password } = new URL(superuserUrl);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}

/** Makes the primary answer a commit only after its standby has it; resolves after the standby has all earlier commits. */
export async function followSynchronously(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const follows = (condition: string) =>
      until(async () => (await client.query(`select 1 from pg_stat_replication where ${condition}`)).rowCount === 1);
    await follows(`state = 'streaming'`);
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
    await follows(`sync_state = 'sync'`);
    await sleep(RELOAD);
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    await follows(`flush_lsn >= '${rows[0]!.lsn}'`);
  });
}

/** Promotes a standby; resolves when it accepts changes. */
export async function promote(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ promoted: boolean }>('select pg_promote() as promoted');
    if (!rows[0]!.promoted) throw new Error('The standby was not promoted.');
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; !(await condition()); await sleep(20)) {
    if (Date.now() > deadline) throw new Error('The standby does not follow.');
  }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A running query fails anyway.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
