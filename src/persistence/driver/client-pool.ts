import pg from 'pg';
import { type Client, KEEP_ALIVE, ServiceClient } from './client.ts';
import { ormTypes } from './answer-types.ts';

/** A client in use. */
export type PooledClient = Client & {
  /** Returns it to the pool; with `destroy` it is ended instead. */
  release(destroy: boolean): void;
};

/** Clients whose statements are pipelined: see `statementsOn`. */
export type ClientPool = {
  /** @throws Error if no client could be opened or was free within `acquireMs` */
  connect(): Promise<PooledClient>;
  /** Whether the maximum of clients is in use. */
  readonly isExhausted: boolean;
  /** Waits for the clients in use. Call it once. */
  end(): Promise<void>;
};

/** The number and lifetime of clients, and the listener for new ones. */
export type ClientPoolOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The `application_name` of the connections in `pg_stat_activity`. */
  readonly name: string;
  readonly clientsMax: number;
  /** Milliseconds to wait for a free or new client. */
  readonly acquireMs: number;
  /** Milliseconds after which an idle client is ended. */
  readonly idleMs: number;
  /** Milliseconds after which a client is ended as soon as it is idle. */
  readonly lifetimeMs: number;
  /** Called with a new client while the server's greeting is read, before any later message of the server. */
  readonly onConnect: (client: PooledClient) => void;
  readonly onAcquire: (client: PooledClient) => void;
  readonly onRelease: (client: PooledClient) => void;
  /** Called when an idle client was lost; another one replaces it. */
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
  // Without a listener, the event would end the process.
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
