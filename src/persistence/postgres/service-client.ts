import pg from 'pg';

/** Milliseconds that the server has to close a connection of which the service has taken leave. */
const TERMINATE_MS = 1_000;

/** Milliseconds of idleness after which the system asks the other end whether it is there; it gives up some 10 s later. */
const KEEP_ALIVE_MS = 5_000;

/** For every connection of the service: a machine that is lost is noticed while nothing is on its way to it. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS } as const;

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

/** The number of the server process that was told when the connection was made. A pooler makes one up. */
export function processIdOf(client: pg.ClientBase): number {
  // The types do not know it.
  return (client as unknown as { readonly processID: number }).processID;
}

/** For connections beside the pool: a server that does not answer does not hold up a start for ever. Statements may take their time. */
export const CONNECTING = { connectionTimeoutMillis: 10_000, ...KEEP_ALIVE } as const;
