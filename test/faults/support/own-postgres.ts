import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/persistence/postgres/embedded-postgres.ts';
import { migrate } from '../../../src/persistence/migrate.ts';
import { openCluster, pgCtl, postmaster } from '../../../src/persistence/postgres/postgres-cluster.ts';
import { connectionOf, copyAsStandby, followSynchronously, promote } from './own-standby.ts';

/** A PostgreSQL server of one test file with the service's schema; the test may kill it. */
export type OwnPostgres = {
  /** The address; a different one after `promote`. */
  readonly url: string;
  /** The address for actions of a superuser; the service's own login is none. */
  readonly superuserUrl: string;
  /** Sends SIGKILL to the server. Its sessions notice it and end. */
  kill(): void;
  /** Sends SIGKILL to one session's process: the server ends all others, recovers, and continues automatically. */
  killSession(): Promise<void>;
  /** Stops it like `pg_ctl stop --mode=fast` and most restarts: sessions are notified, and their transactions rolled back. */
  stopFast(): Promise<void>;
  /** Starts it again after `kill` or `stopFast`, at the same address. */
  restart(): Promise<void>;
  /** Runs statements as a superuser, one by one, as ALTER SYSTEM requires, also while the server is read-only. */
  administer(...statements: string[]): Promise<void>;
  /**
   * Creates a standby that follows synchronously as soon as the promise resolves, so that it has all answered changes. After `kill`,
   * `promote` makes the standby replace the primary, at another address.
   */
  follow(): Promise<{ promote(): Promise<void> }>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

/** Milliseconds for the sessions of a killed server to end. */
const TIMEOUT_MS = 10_000;

/** Starts a server below `parent`, with PostgreSQL's defaults for durability. */
export async function startOwnPostgres(
  name: string,
  settings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<OwnPostgres> {
  // The process number lets a later run remove the files of a killed run.
  const firstFolder = join(parent, `laurel-test-${process.pid}-${name}`);
  const startIn = async (folder: string, more: Readonly<Record<string, string>> = {}) => {
    const all = { shared_buffers: '64MB', ...settings, ...more };
    const { url, close } = await startEmbeddedPostgres({ folder, settings: all });
    const { pid } = (await postmaster(await openCluster(folder)))!;
    const superuserUrl = new URL(url);
    superuserUrl.username = 'postgres';
    return { folder, url, superuserUrl: superuserUrl.href, close, pid };
  };
  let server = await startIn(firstFolder);
  let standbys = 0;
  await migrate(server.url);

  return {
    get url() {
      return server.url;
    },
    get superuserUrl() {
      return server.superuserUrl;
    },
    kill() {
      process.kill(server.pid, 'SIGKILL');
    },
    async killSession() {
      const client = new pg.Client({ connectionString: server.url });
      // This server is ended as well.
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'laurel' and pid <> pg_backend_pid() limit 1`,
      );
      process.kill(rows[0]!.pid, 'SIGKILL');
      await client.end().catch(() => {});
    },
    async stopFast() {
      await pgCtl(await openCluster(server.folder), ['stop', '--mode=fast']);
    },
    async administer(...statements) {
      const client = new pg.Client({ connectionString: server.superuserUrl });
      await client.connect();
      for (const statement of ['set default_transaction_read_only = off', ...statements]) await client.query(statement);
      await client.end();
    },
    async restart() {
      // A busy session holds the memory of the killed server, and PostgreSQL does not start beside it.
      for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
        try {
          server = await startIn(server.folder);
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
      }
    },
    async follow() {
      const primary = server;
      const folder = `${firstFolder}-${(standbys += 1)}`;
      const { superuserUrl } = primary;
      await copyAsStandby({ primary: await openCluster(primary.folder), superuserUrl, from: primary.folder, folder });
      const standby = await startIn(folder, { primary_conninfo: connectionOf(superuserUrl) });
      await followSynchronously(superuserUrl);
      return {
        async promote() {
          await promote(standby.superuserUrl);
          server = standby;
          await rm(primary.folder, { recursive: true, force: true, maxRetries: 10 });
        },
      };
    },
    async remove() {
      await server.close();
      await rm(server.folder, { recursive: true, force: true });
    },
  };
}
