import type { Socket } from 'node:net';
import pg from 'pg';

/** Milliseconds that the server has to close a connection of which the service has taken leave. */
const TERMINATE_MS = 1_000;

/** Milliseconds of idleness after which the system asks the other end whether it is there; it gives up some 10 s later. */
const KEEP_ALIVE_MS = 5_000;

/** Milliseconds to connect beside the pool, unless somebody says otherwise: a server that is silent holds up no start for ever. */
const CONNECT_MS = 10_000;

/** For every connection of the service: a machine that is lost is noticed while nothing is on its way to it. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS } as const;

/**
 * A connection of pg, by what pg documents of it; one statement after the other. `end` waits for a second at most. The event
 * `error` reports a lost connection, `end` a closed one.
 */
export type Client = Pick<pg.Client, 'query' | 'end' | 'on' | 'once' | 'escapeIdentifier' | 'escapeLiteral'>;

/** Where a client connects to, and for how long it waits. */
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

/** A client that ends its connection within a second at most: a server that is lost never answers one. */
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
 * Opens a connection beside the pool. Its loss fails the statement that runs, and never the process.
 * @throws Error that PostgreSQL or the system gave, or that the time was up
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
  // Unheard, the event would end the process.
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
 * @param onConnect gets each connection before the first statement
 */
export function ormPoolOptions(onConnect: (client: Client) => void): Readonly<Record<string, unknown>> {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
    onPoolCreated: (pool: pg.Pool) => void pool.on('connect', onConnect),
  };
}

/** Destroys the connection at once: what waits on it fails, and nothing is sent any more. It cannot fail. */
export function cut(client: Client, cause?: Error): void {
  streamOf(client).destroy(cause);
}

/** Bytes that have arrived on the connection since it was opened. */
export function bytesReceived(client: Client): number {
  return (streamOf(client) as Socket).bytesRead;
}

/** The number of the server process that was told when the connection was made. A pooler makes one up. */
export function processIdOf(client: Client): number {
  // The types do not know it.
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
