import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Client, connectClient } from '../driver/driver.ts';
import { type ClientWatch, IDENTITY, watchClients } from '../watches/client-watch.ts';
import { askServer } from '../postgres/server-activity.ts';
import { PINNED_PATIENTLY } from './pinned-settings.ts';
import { BEGIN } from './scope-settings.ts';
import type { ServerProcess } from './server-process.ts';

/** What is done by one process at a time, of all that use the database. */
export type Exclusive = {
  readonly url: string;
  /** The number of the advisory lock: one of {@link LOCKS}. */
  readonly lock: number;
  /** What the connection is called in `pg_stat_activity`. */
  readonly name: string;
  readonly logger?: Logger | undefined;
  /** Milliseconds without a byte after which a connection that owes an answer is asked about; 10 s by default. */
  readonly silenceMs?: number | undefined;
};

/** Any numbers will do as long as nobody else locks them. */
export const LOCKS = { migration: 4_921_733_505, demo: 4_921_733_506 } as const;

/** Milliseconds between two questions for a lock that another process has. */
const ASK_MS = 100;

/** Milliseconds to give the lock back, and for its connection to be ended on the server where that fails. */
const GIVE_BACK_MS = 1_000;

/**
 * Runs `work` while no other process does the same, however long others take before. The lock belongs to a transaction and not to
 * the session, so that it also holds through a PgBouncer; a process that ends, however it does, lets go of it.
 * @param work is told where connections are watched, so that its own may be as well
 * @throws what `work` throws, and Error where the connection of the lock could not be opened or went silent
 */
export async function exclusively<T>(options: Exclusive, work: (watch: ClientWatch) => Promise<T>): Promise<T> {
  const { url, lock, name } = options;
  const client = await connectClient({ url, name });
  const watch = watchClients(options);
  const connection = watch.add(client);
  try {
    // Under serializable it would keep its first snapshot, for which an index that is built concurrently would wait.
    await client.query(`${BEGIN}; select ${IDENTITY}, ${PINNED_PATIENTLY}`);
    await waitFor(client, lock);
    return await work(watch);
  } finally {
    const { transaction } = connection.pulse;
    watch.stop();
    await giveBack(client).catch(() => endOnServer(url, transaction).catch(() => {}));
    await client.end();
  }
}

/**
 * Asks again and again. A statement that waits would keep its snapshot, for which an index that is built concurrently under the
 * lock would wait in turn.
 */
async function waitFor(client: Client, lock: number): Promise<void> {
  for (;;) {
    // Without a parameter: a statement that has some stays open until the next, and keeps its snapshot as well.
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${lock}) as free`);
    if (rows[0]!.free) return;
    await sleep(ASK_MS);
  }
}

async function giveBack(client: Client): Promise<void> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error('The lock was not given back in time.')), GIVE_BACK_MS);
  try {
    await Promise.race([client.query('commit'), silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A server that lives, and has not noticed that the connection is lost, would keep the lock for hours. */
async function endOnServer(url: string, transaction: ServerProcess | undefined): Promise<void> {
  if (transaction === undefined) return;
  const server = await askServer({ url, timeoutMs: GIVE_BACK_MS });
  try {
    await server.end([transaction], { evenBusy: true });
  } finally {
    server.close();
  }
}
