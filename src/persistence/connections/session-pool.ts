import type { Logger } from 'pino';
import { databaseBusy, databaseUnavailable, SilentConnection, DatabaseNotReady } from './failures.ts';
import { clientPool, type PooledClient } from '../driver/driver.ts';
import { askServer } from '../postgres/server-activity.ts';
import type { ServerProcess } from './server-process.ts';
import { type Session, sessionOf } from './session.ts';
import { watchSilence } from './silence-watch.ts';

/** The address of PostgreSQL, and the limits of the pool. */
export type PoolOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The maximum of connections; keep the sum over all processes below the server's `max_connections`. */
  readonly poolMax: number;
  /** Milliseconds to wait for a free connection before the call is answered 503. */
  readonly acquireTimeoutMs?: number;
  /**
   * Milliseconds without a byte after which a connection that owes an answer is suspected to be dead; 3 s by default.
   * Slow statements are unaffected.
   */
  readonly silenceMs?: number;
  /** Off behind a PgBouncer in transaction mode that is older than 1.21. */
  readonly preparedStatements?: boolean;
  readonly logger?: Logger;
};

/** Milliseconds to wait for a free connection, unless the options say otherwise. */
export const ACQUIRE_TIMEOUT_MS = 10_000;

/** The default of {@link PoolOptions.silenceMs}. */
const SILENCE_MS = 3_000;

/**
 * The shortest time between two replacements of all connections after a read-only one, in milliseconds: if new connections are
 * read-only too, replacements would not end.
 */
const READ_ONLY_EVERY_MS = 1_000;

/**
 * Milliseconds for which the database is not ready after a prepared statement was lost. Behind a pooler that does not keep prepared
 * statements, losses occur all the time.
 */
const STATEMENT_LOST_MS = 30_000;

/** Milliseconds for the server to end the aborted transactions; afterwards their connections are cut. */
const ABORT_MS = 500;

/** Milliseconds in which lost connections are collected, so that one request to the server ends all of them. */
const COLLECT_MS = 20;

const POOLER_ADVICE =
  'What stands between the service and PostgreSQL does not keep prepared statements. ' +
  'Set LAUREL_PREPARED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 or later.';

/** The connections of this process. */
export type SessionPool = {
  /** @throws DomainError `DATABASE_UNAVAILABLE`, or `DATABASE_BUSY` if all connections stay in use */
  acquire(): Promise<Session>;
  /**
   * Tries a connection as a call would get it, and checks the state of the others.
   * @throws DomainError `DATABASE_UNAVAILABLE`; its cause is a `DatabaseNotReady` if the server answers but calls would fail
   */
  ping(): Promise<void>;
  /** The numbers of connections: open, the maximum, and in use. */
  load(): { readonly connections: number; readonly connectionsMax: number; readonly connectionsUsed: number };
  /**
   * Ends the open transactions, here and on the server, and lends no connection any more. Calls that use one or wait for one get
   * `DATABASE_UNAVAILABLE`. Resolves within about a second and never fails.
   */
  abortTransactions(): Promise<void>;
  /** Waits for the sessions in use, and until every connection is closed. */
  close(): Promise<void>;
};

/** A pool for `options.url`. The first `acquire` opens a connection. */
export function sessionPool(options: PoolOptions): SessionPool {
  const { url, poolMax, logger, preparedStatements = true } = options;
  const acquireTimeoutMs = options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS;
  const sessions = new WeakMap<PooledClient, Session>();
  const open = new Set<Session>();
  const used = new Set<Session>();
  const lostTransactions: ServerProcess[] = [];
  let noneOpen: (() => void) | undefined;
  let readOnlyAt = -Infinity;
  let statementLostAt = -Infinity;
  let abortCause: Error | undefined;
  let ended: Promise<void> | undefined;

  const pool = clientPool({
    url,
    name: 'laurel',
    clientsMax: poolMax,
    acquireMs: acquireTimeoutMs,
    idleMs: 30_000,
    // Renewed connections reach the new server some time after a fail-over, and PostgreSQL frees the caches of old ones.
    lifetimeMs: 1_800_000,
    // Here and not at the first use of a client: the server's greeting and its final error may arrive in one packet.
    onConnect(client) {
      const session = sessionOf(client, { preparedStatements, onReadOnly, onStatementLost, onStalePlan: discardAll });
      sessions.set(client, session);
      open.add(session);
      client.once('end', () => {
        open.delete(session);
        if (open.size === 0) noneOpen?.();
      });
    },
    onAcquire: (client) => used.add(sessions.get(client)!),
    onRelease(client) {
      const session = sessions.get(client)!;
      used.delete(session);
      if (session.lost && session.state.transaction !== undefined) endLater(session.state.transaction);
    },
    onIdleLost(error) {
      if (!(error instanceof SilentConnection)) logger?.warn({ err: error }, 'an idle database connection was lost');
    },
  });

  const watch = watchSilence({
    url,
    logger,
    silenceMs: options.silenceMs ?? SILENCE_MS,
    beginMs: acquireTimeoutMs,
    used: () => used,
    onSilent(count) {
      logger?.warn({ count }, 'database connections had gone silent and were given up');
      discardAll();
    },
  });

  /**
   * A connection may be cut on this side only, for example by a firewall. Its server process would keep locks of rows and operation
   * ids until the idle timeout, and a retry would learn that the operation is under way. A busy process, for example in a commit, is
   * not ended.
   */
  function endLater(transaction: ServerProcess): void {
    lostTransactions.push(transaction);
    if (lostTransactions.length > 1) return;
    setTimeout(() => {
      const transactions = lostTransactions.splice(0);
      // A server that has stopped has ended them already.
      void endOnServer(transactions).catch(() => {});
    }, COLLECT_MS).unref();
  }

  function onReadOnly(): void {
    if (performance.now() - readOnlyAt < READ_ONLY_EVERY_MS) return;
    readOnlyAt = performance.now();
    logger?.warn('PostgreSQL is read-only, or was demoted: the connections to it are given up');
    discardAll();
  }

  function onStatementLost(): void {
    if (performance.now() - statementLostAt > STATEMENT_LOST_MS) logger?.error(POOLER_ADVICE);
    statementLostAt = performance.now();
  }

  /** A faulty connection is rarely the only one, and each further one would delay a call. */
  function discardAll(): void {
    for (const session of open) {
      if (used.has(session)) session.discardAfterUse();
      else session.abandon(new SilentConnection('others were found to be'));
    }
  }

  async function acquire(): Promise<Session> {
    for (;;) {
      if (abortCause !== undefined) throw databaseUnavailable(abortCause);
      const client = await pool.connect().catch((error: unknown) => {
        throw pool.isExhausted ? databaseBusy(error) : databaseUnavailable(error);
      });
      const session = sessions.get(client)!;
      if (!session.lost && abortCause === undefined) return session;
      // The connection was lost after the pool had lent it.
      session.release();
    }
  }

  /** A connection that is only cut would keep its locks until the statement on the server ends, possibly long after. */
  async function endOnServer(processes: readonly ServerProcess[], includeBusy = false): Promise<void> {
    if (processes.length === 0) return;
    const server = await askServer({ url, timeoutMs: ABORT_MS });
    try {
      await server.end(processes, { includeBusy });
    } finally {
      server.close();
    }
  }

  async function isReadOnly(): Promise<boolean> {
    const session = await acquire();
    try {
      const readOnly = await session.isReadOnly();
      if (readOnly) session.discardAfterUse();
      return readOnly;
    } finally {
      session.release();
    }
  }

  return {
    acquire,
    async ping() {
      try {
        if (await isReadOnly()) {
          onReadOnly();
          throw new DatabaseNotReady('PostgreSQL is read-only: it is a replica, or was demoted.');
        }
        if (performance.now() - statementLostAt < STATEMENT_LOST_MS) throw new DatabaseNotReady(POOLER_ADVICE);
        if (watch.hasSuspects) throw new DatabaseNotReady('Some connections to PostgreSQL are not answered.');
      } catch (error) {
        throw databaseUnavailable(error);
      }
    },
    load: () => ({ connections: open.size, connectionsMax: poolMax, connectionsUsed: used.size }),
    async abortTransactions() {
      if (abortCause !== undefined) return;
      const cause = new Error('The service ends, and does not wait for the database any more.');
      abortCause = cause;
      const processes = [...used].flatMap(({ state }) => state.transaction ?? state.process ?? []);
      await endOnServer(processes, true).catch((error: unknown) => {
        logger?.warn({ err: error }, 'open transactions could not be ended on the server; their connections are cut');
      });
      for (const session of used) session.abandon(cause);
    },
    async close() {
      await (ended ??= pool.end());
      watch.stop();
      // The pool does not wait for the connections that it ends, and an open socket keeps the process alive.
      if (open.size > 0) await new Promise<void>((resolve) => (noneOpen = resolve));
    },
  };
}
