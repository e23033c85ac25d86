import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/persistence/embedded-postgres.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import { openCluster, pgCtl, postmaster } from '../../src/persistence/postgres-cluster.ts';

/** A PostgreSQL of one test file, with the service's schema, which the test may kill. */
export type OwnPostgres = {
  readonly url: string;
  /** For what only a superuser may do: the service's own login is none. */
  readonly superuserUrl: string;
  /** SIGKILL to the server, at once. Its sessions notice that it is gone and end. */
  kill(): void;
  /** SIGKILL to one session's process: the server ends all the others, recovers, and goes on by itself. */
  killSession(): Promise<void>;
  /** Stops it as `pg_ctl stop --mode=fast` and most restarts do: sessions are told, and their transactions rolled back. */
  stopFast(): Promise<void>;
  /** Starts it again after `kill` or `stopFast`, at the same address. */
  restart(): Promise<void>;
  /** Runs statements as a superuser, one by one, as ALTER SYSTEM wants it, also while the server is read-only. */
  administer(...statements: string[]): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

/** Milliseconds for the sessions of a killed server to end. */
const PATIENCE = 10_000;

/** Starts one below `parent`, with the defaults of PostgreSQL where durability is concerned. */
export async function startOwnPostgres(
  name: string,
  settings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<OwnPostgres> {
  // The process number lets a later run remove what a run that was killed has left.
  const folder = join(parent, `laurel-test-${process.pid}-${name}`);
  const start = async () => {
    const { url, close } = await startEmbeddedPostgres({ folder, settings: { shared_buffers: '64MB', ...settings } });
    const { pid } = (await postmaster(await openCluster(folder)))!;
    return { url, close, pid };
  };
  let server = await start();
  await migrate(server.url);

  const superuserUrl = new URL(server.url);
  superuserUrl.username = 'postgres';

  return {
    url: server.url,
    superuserUrl: superuserUrl.href,
    kill() {
      process.kill(server.pid, 'SIGKILL');
    },
    async killSession() {
      const client = new pg.Client({ connectionString: server.url });
      // It is ended as well.
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'laurel' and pid <> pg_backend_pid() limit 1`,
      );
      process.kill(rows[0]!.pid, 'SIGKILL');
      await client.end().catch(() => {});
    },
    async stopFast() {
      await pgCtl(await openCluster(folder), ['stop', '--mode=fast']);
    },
    async administer(...statements) {
      const client = new pg.Client({ connectionString: superuserUrl.href });
      await client.connect();
      for (const statement of ['set default_transaction_read_only = off', ...statements]) await client.query(statement);
      await client.end();
    },
    async restart() {
      // A session that is still busy holds the memory of the killed server, and PostgreSQL does not start beside it.
      for (const deadline = Date.now() + PATIENCE; ; await sleep(50)) {
        try {
          server = await start();
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
      }
    },
    async remove() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
