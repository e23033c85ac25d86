import type { Socket } from 'node:net';
import pg from 'pg';

/** Milliseconds for the server to close a connection after the service's goodbye. */
const TERMINATE_MS = 1_000;

/** Milliseconds of idleness after which the system sends TCP keep-alive probes; it gives up some 10 s later. */
const KEEP_ALIVE_MS = 5_000;

/** The default of milliseconds to connect outside of the pool, so that a silent server does not delay a start for ever. */
const CONNECT_MS = 10_000;

/** Keep-alive for every connection, so that the loss of the server is also detected on idle connections. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS } as const;

/**
 * A connection of pg, with its documented methods; one statement after the other. `end` waits for a second at most. The event `error`
 * reports a lost connection, `end` a closed one.
 */
export type Client = Pick<pg.Client, 'query' | 'end' | 'on' | 'once' | 'escapeIdentifier' | 'escapeLiteral'>;

/** The address and the time limits of a client. */
export type ClientOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The `application_name` of the connection in `pg_stat_activity`. */
  readonly name?: string;
  /** Milliseconds to connect; 10 s by default. */
  readonly connectMs?: number;
  /** Milliseconds for each answer; no limit by default. A late answer throws an error that {@link isUnanswered} knows. */
  readonly answerMs?: number;
  /** Called when the connection is lost. The running query fails as well. */
  readonly onLost?: () => void;
};

/** A client that ends its connection within a second at most, because a lost server never answers. */
export class ServiceClient extends pg.Client {
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const impatience = setTimeout(() => this.connection.stream.destroy(), TERMINATE_MS).unref();
    this.connection.once('end', () => clearTimeout(impatience));
    return callback === undefined ? super.end() : super.end(callback);
  }
}

/**
 * Opens a connection outside of the pool. Its loss fails the running statement, never the process.
 * @throws the error of PostgreSQL or the system, or an Error after the time limit
 */
export async function connectClient(options: ClientOptions): Promise<Client> {
  const { url, name, connectMs = CONNECT_MS, answerMs, onLost = () => {} } = options;
  const client = new ServiceClient({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    ...KEEP_ALIVE,
  });
  // Without a listener, the event would end the process.
  client.on('error', onLost);
  try {
    await client.connect();
    return client;
  } catch (error) {
    cut(client);
    throw error;
  }
}

/**
 * Options for MikroORM's own pool.
 * @param onConnect receives each connection before the first statement
 */
export function ormPoolOptions(onConnect: (client: Client) => void): Readonly<Record<string, unknown>> {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
    onPoolCreated: (pool: pg.Pool) => void pool.on('connect', onConnect),
  };
}

/** Destroys the connection at once: waiting statements fail, and no more bytes are sent. It cannot fail. */
export function cut(client: Client, cause?: Error): void {
  streamOf(client).destroy(cause);
}

/** Bytes that have arrived on the connection since it was opened. */
export function bytesReceived(client: Client): number {
  return (streamOf(client) as Socket).bytesRead;
}

/** The number of the server process from the greeting. A pooler sends an invented one. */
export function processIdOf(client: Client): number {
  // The types lack the property.
  return (client as unknown as { readonly processID: number }).processID;
}

/** Whether a query failed because its answer did not come within `answerMs`. */
export function isUnanswered(error: unknown): boolean {
  // It has no code.
  return (error as Error).message === 'Query read timeout';
}

/** The socket of the connection. TLS replaces it after the handshake, so read it again each time. */
export function streamOf(client: Client): pg.Connection['stream'] {
  return (client as pg.Client).connection.stream;
}
