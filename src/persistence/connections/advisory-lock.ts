import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Client, connectClient } from '../driver/driver.ts';
import { type ClientWatch, IDENTITY, watchClients } from '../watches/client-watch.ts';
import { askServer } from '../postgres/server-activity.ts';
import { PINNED_WITHOUT_TIMEOUTS } from './pinned-settings.ts';
import { BEGIN } from './scope-settings.ts';
import type { ServerProcess } from './server-process.ts';

/** The lock of work that one process at a time may do, among all that use the database. */
export type AdvisoryLock = {
  readonly url: string;
  /** The number of the advisory lock: one of {@link LOCKS}. */
  readonly lock: number;
  /** The name of the connection in `pg_stat_activity`. */
  readonly name: string;
  readonly logger?: Logger | undefined;
  /** Milliseconds without a byte after which the server is asked about a connection that owes an answer; 10 s by default. */
  readonly silenceMs?: number | undefined;
};

/** The numbers are arbitrary; nothing else may lock them. */
export const LOCKS = { migration: 4_921_733_505, demo: 4_921_733_506 } as const;

/** Milliseconds between two attempts to take a lock that another process has. */
const POLL_MS = 100;

/** Milliseconds to release the lock; where that fails, as many again to end its connection on the server. */
const RELEASE_MS = 1_000;

/**
 * Runs `work` while no other process has the lock, and waits for it without a limit. The lock belongs to a transaction and not to
 * the session, so that it also holds through a PgBouncer. A process that ends, even by a crash, releases it.
 * @param work receives the watch of the connections, so that it can add its own
 * @throws Error if the connection of the lock could not be opened or went silent; else the error of `work`
 */
export async function withAdvisoryLock<T>(options: AdvisoryLock, work: (watch: ClientWatch) => Promise<T>): Promise<T> {
  const { url, lock, name } = options;
  const client = await connectClient({ url, name });
  const watch = watchClients(options);
  const connection = watch.add(client);
  try {
    await waitForLock(client, lock);
    return await work(watch);
  } finally {
    const { transaction } = connection.state;
    watch.stop();
    await releaseLock(client).catch(() => endOnServer(url, transaction).catch(() => {}));
    await client.end();
  }
}

/**
 * Polls for the lock, each time in a new transaction. `create index concurrently` under the lock waits for the snapshots of others: for a
 * statement that waited for the lock, and for the whole transaction of one that it met, even if its snapshot is gone by then.
 */
async function waitForLock(client: Client, lock: number): Promise<void> {
  for (;;) {
    // A serializable transaction would keep its first snapshot. So would a statement with parameters, until the next one.
    await client.query(`${BEGIN}; select ${IDENTITY}, ${PINNED_WITHOUT_TIMEOUTS}`);
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${lock}) as free`);
    if (rows[0]!.free) return;
    await client.query('rollback');
    await sleep(POLL_MS);
  }
}

async function releaseLock(client: Client): Promise<void> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error('The lock was not given back in time.')), RELEASE_MS);
  try {
    await Promise.race([client.query('commit'), silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A running server that has not noticed the loss of the connection would keep the lock for hours. */
async function endOnServer(url: string, transaction: ServerProcess | undefined): Promise<void> {
  if (transaction === undefined) return;
  const server = await askServer({ url, timeoutMs: RELEASE_MS });
  try {
    await server.end([transaction], { includeBusy: true });
  } finally {
    server.close();
  }
}
