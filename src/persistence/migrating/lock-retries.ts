import { setTimeout as sleep } from 'node:timers/promises';
import { IsolationLevel, type MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { isContention, isLockTimeout, isTimeout } from '../connections/failures.ts';
import { PINNED_WITHOUT_TIMEOUTS, pinSession } from '../connections/pinned-settings.ts';
import { connectClient } from '../driver/driver.ts';
import { IDENTITY } from '../watches/client-watch.ts';
import { type Blocker, watchingBlockers } from './blockers.ts';

/**
 * Milliseconds that a migration waits for the lock of a table. Every later call on the table queues behind it, so the
 * migration gives way and tries again. It is below PostgreSQL's deadlock timeout of one second: in a deadlock the
 * migration gives way, and no call is cancelled.
 */
const LOCK_TIMEOUT_MS = 500;

/** Milliseconds where autovacuum is in the way, which leaves only after somebody has waited for a second. */
const VACUUM_LOCK_TIMEOUT_MS = 1_500;

/** Milliseconds before the second attempt, doubled before each further one up to the longest: calls have most of the time. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 8_000;

/** Milliseconds for which one step is tried again, before a lasting lock is an error. */
const RETRY_FOR_MS = 10 * 60_000;

/** Milliseconds between two lines of the log about one wait outside of a transaction, which holds nobody up. */
const LOG_EVERY_MS = 10_000;

type EntityManager = MikroORM['em'];

/** The context of one migration's steps. */
export type MigrationRun = {
  readonly url: string;
  readonly orm: MikroORM;
  readonly migration: string;
  readonly logger: Logger | undefined;
};

/** Runs `work` in a transaction that gives way. @throws that a table was in use only after the time in which it is tried again */
export async function inTransaction<T>(
  migrationRun: MigrationRun,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const { orm } = migrationRun;
  return withLockRetries(migrationRun, async (blocked, timeoutMs) => {
    let pid: number | undefined;
    return watchingBlockers(
      orm,
      () => (pid === undefined ? undefined : `w.pid = ${pid}`),
      blocked,
      () =>
        orm.em.fork().transactional(
          async (em) => {
            // Settings of the transaction: a pooler would pass settings of the session on to others.
            const [row] = await em.execute<Array<{ transaction_pid: number }>>(
              `select ${PINNED_WITHOUT_TIMEOUTS}, set_config('lock_timeout', '${timeoutMs}', true), ${IDENTITY}`,
            );
            pid = row!.transaction_pid;
            return work(em);
          },
          { isolationLevel: IsolationLevel.READ_COMMITTED },
        ),
    );
  });
}

/**
 * Runs a statement that PostgreSQL takes outside of transactions only. It waits for old transactions, and nobody for it. On a
 * connection that nobody watches: it may say nothing for minutes, and cannot be asked about. Of one that is lost TCP tells.
 * @param before done in front of each attempt: what one that was cut off may have left
 */
export async function outsideOfTransactions(
  migrationRun: MigrationRun,
  sql: string,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const { url, orm, migration, logger } = migrationRun;
  let lastNotifiedAt = -Infinity;
  await withLockRetries(migrationRun, async (blocked) => {
    await before();
    await watchingBlockers(
      orm,
      () => `w.query = '${sql.replaceAll("'", "''")}'`,
      (by) => {
        blocked(by);
        if (performance.now() - lastNotifiedAt < LOG_EVERY_MS) return;
        lastNotifiedAt = performance.now();
        logger?.warn(
          { migration, waitsFor: by },
          'a migration waits for transactions that began before; nobody waits for it',
        );
      },
      () => onOwnConnection(url, sql),
    );
  });
}

async function withLockRetries<T>(
  { migration, logger }: MigrationRun,
  attempt: (blocked: (by: Blocker[]) => void, lockTimeoutMs: number) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  let waitsFor: Blocker[] = [];
  for (let retryInMs = RETRY_MS; ; retryInMs = Math.min(2 * retryInMs, RETRY_MS_MAX)) {
    const timeoutMs = waitsFor.some(({ isAutovacuum }) => isAutovacuum) ? VACUUM_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS;
    waitsFor = [];
    try {
      return await attempt((by) => (waitsFor = by), timeoutMs);
    } catch (error) {
      if (!(isLockTimeout(error) || isContention(error)) || performance.now() > giveUpAt) throw error;
      const facts = { err: error, migration, waitsFor, retryInMs };
      logger?.warn(facts, 'a migration waits for a table that somebody else uses: look for long transactions');
      await sleep(retryInMs);
    }
  }
}

async function onOwnConnection(url: string, sql: string): Promise<void> {
  const client = await connectClient({ url, name: 'laurel migrate' });
  try {
    // There is no transaction to pin for.
    const pinned = await pinSession(client, { isUnlimited: true });
    await client.query(sql).catch((error: unknown) => {
      throw pinned === undefined && isTimeout(error) ? cutOffByPooler(sql, error) : error;
    });
  } finally {
    await client.end();
  }
}

function cutOffByPooler(sql: string, cause: unknown): Error {
  const message =
    `The statement_timeout of the database or of the login ended \`${sql}\`, which takes longer. Behind a pooler a migration ` +
    'cannot change it: migrate with a DATABASE_URL that leads to PostgreSQL itself, or reset the setting.';
  return new Error(message, { cause });
}
