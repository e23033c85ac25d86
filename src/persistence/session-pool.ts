import pg from 'pg';
import type { Logger } from 'pino';
import { databaseBusy, databaseUnavailable } from './failures.ts';
import { type Session, sessionOf } from './session.ts';

/** How to reach PostgreSQL. */
export type PoolOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Connections at most; keep the sum over all processes below the server's `max_connections`. */
  readonly poolMax: number;
  /** Milliseconds to wait for a free connection before the call is answered 503. */
  readonly acquireTimeoutMs?: number;
  /** Off behind a PgBouncer in transaction mode that is older than 1.21. */
  readonly preparedStatements?: boolean;
  readonly logger?: Logger;
};

/** Milliseconds to wait for a free connection, unless the options say otherwise. */
export const ACQUIRE_TIMEOUT_MS = 10_000;

/** The connections of this process. */
export type SessionPool = {
  /** @throws DomainError `DATABASE_UNAVAILABLE`, or `DATABASE_BUSY` if all connections stay in use */
  acquire(): Promise<Session>;
  /**
   * One round trip outside of any transaction.
   * @throws DomainError `DATABASE_UNAVAILABLE`
   */
  ping(): Promise<void>;
  /** Waits for the sessions that are in use. */
  close(): Promise<void>;
};

/** Types that MikroORM parses by itself: date, timestamp, timestamptz, interval. */
const RAW_TYPES = new Set<number>([1082, 1114, 1184, 1186]);

/** Opens no connection yet. */
export function sessionPool(options: PoolOptions): SessionPool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    // Seconds. Connections move to a new server some time after a fail-over, and PostgreSQL gets its caches back.
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    pipeline: true,
    application_name: 'laurel',
    types: { getTypeParser: mikroOrmParser },
  });
  // An idle connection that dies is replaced by the pool; unheard, its error would end the process.
  pool.on('error', (error) => options.logger?.warn({ err: error }, 'an idle database connection was lost'));
  const sessions = new WeakMap<pg.PoolClient, Session>();
  // Here and not where a client is first used: the server's greeting and its farewell may arrive in one piece.
  pool.on('connect', (client) => sessions.set(client, sessionOf(client, options.preparedStatements ?? true)));

  return {
    async acquire() {
      const client = await pool.connect().catch((error: unknown) => {
        const allInUse = pool.totalCount >= options.poolMax && pool.idleCount === 0;
        throw allInUse ? databaseBusy(error) : databaseUnavailable(error);
      });
      return sessions.get(client)!;
    },
    async ping() {
      await pool.query('select 1').catch((error: unknown) => {
        throw databaseUnavailable(error);
      });
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

function mikroOrmParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (RAW_TYPES.has(oid)) return String;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}
