import pg from 'pg';
import { type Client, KEEP_ALIVE, ServiceClient } from './client.ts';
import { ormTypes } from './answer-types.ts';

/** A client that somebody uses. */
export type PooledClient = Client & {
  /** Back to the pool; with `destroy` it is ended instead. */
  release(destroy: boolean): void;
};

/** Clients whose statements are pipelined: see `statementsOn`. */
export type ClientPool = {
  /** @throws Error where none could be opened, or was free, within `acquireMs` */
  connect(): Promise<PooledClient>;
  /** Whether every client that there may be is in use. */
  readonly isExhausted: boolean;
  /** Waits for those that are in use. To be called once. */
  end(): Promise<void>;
};

/** The number and lifetime of clients, and the listener for new ones. */
export type ClientPoolOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The `application_name` of the connections in `pg_stat_activity`. */
  readonly name: string;
  readonly clientsMax: number;
  /** Milliseconds to wait for a client, be it a free one or a new one. */
  readonly acquireMs: number;
  /** Milliseconds after which a client that nobody uses is ended. */
  readonly idleMs: number;
  /** Milliseconds after which a client is ended as soon as nobody uses it. */
  readonly lifetimeMs: number;
  /** Told of a new client while the server's greeting is being read: what the server says behind it has not been. */
  readonly onConnect: (client: PooledClient) => void;
  readonly onAcquire: (client: PooledClient) => void;
  readonly onRelease: (client: PooledClient) => void;
  /** Told that a client was lost that nobody used; another takes its place. */
  readonly onIdleLost: (error: Error) => void;
};

/** Opens no connection yet. */
export function clientPool(options: ClientPoolOptions): ClientPool {
  const { url, name, clientsMax, acquireMs, idleMs, lifetimeMs } = options;
  const pool = new pg.Pool({
    Client: ServiceClient,
    connectionString: url,
    application_name: name,
    max: clientsMax,
    connectionTimeoutMillis: acquireMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: lifetimeMs / 1_000,
    ...KEEP_ALIVE,
    pipeline: true,
    types: ormTypes,
  });
  // Unheard, it would end the process.
  pool.on('error', options.onIdleLost);
  pool.on('connect', options.onConnect);
  pool.on('acquire', options.onAcquire);
  pool.on('release', (_error, client) => options.onRelease(client));
  return {
    connect: () => pool.connect(),
    get isExhausted() {
      return pool.totalCount >= clientsMax && pool.idleCount === 0;
    },
    end: () => pool.end(),
  };
}
