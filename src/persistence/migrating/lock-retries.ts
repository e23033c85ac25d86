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

/** Milliseconds if autovacuum blocks, which gives way only to a session that has waited for a second. */
const VACUUM_LOCK_TIMEOUT_MS = 1_500;

/**
 * Milliseconds before the second attempt, doubled before each further one up to the longest: the table is free for calls most of the time.
 */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 8_000;

/** Milliseconds for which one step is retried, before a lasting lock is an error. */
const RETRY_FOR_MS = 10 * 60_000;

/** Milliseconds between two log lines about one wait outside of a transaction, which blocks no call. */
const LOG_EVERY_MS = 10_000;

type EntityManager = MikroORM['em'];

/** The context of one migration's steps. */
export type MigrationRun = {
  readonly url: string;
  readonly orm: MikroORM;
  readonly migration: string;
  readonly logger: Logger | undefined;
};

/** Runs `work` in a transaction that gives way, and retries it. @throws an error about a table in use only after the time for retries */
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
 * Runs a statement that PostgreSQL accepts only outside of transactions. It waits for old transactions, and blocks no call. Its connection
 * is not watched, because it may be silent for minutes and cannot be looked up; TCP detects its loss.
 * @param before runs before each attempt, to remove the remains of an interrupted one
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
    // The settings are those of the session, because there is no transaction.
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
