import { connect, createServer, type Socket } from 'node:net';

/** A way to the database whose connections can stop to carry data, as if the machine at the other end were lost. */
export type SilencingProxy = {
  /** The database's address, through the proxy. */
  readonly url: string;
  /**
   * Silences all open connections in both directions, without notice to either end: sent data is accepted and lost. New connections work.
   * @returns the number of silenced connections
   */
  silence(): number;
  /** Silences all open connections as soon as one of them sends `text`, which is lost or not; resolves with the number of silenced ones. */
  silenceAt(text: string, fate: 'lost' | 'received'): Promise<number>;
  /** The number of silent connections that the service has not closed. */
  readonly silent: number;
  /** Refuses new connections: they are accepted, and then carry no data. */
  refuseNew(refused: boolean): void;
  /** Sends new connections to another server from now on, like an address that moves in a failover. */
  moveTo(databaseUrl: string): void;
  close(): Promise<void>;
};

type Way = { readonly client: Socket; readonly database: Socket; silent: boolean; left: boolean };

/** A proxy in front of the database at `databaseUrl`. */
export async function silencingProxy(databaseUrl: string): Promise<SilencingProxy> {
  let target = new URL(databaseUrl);
  const ways = new Set<Way>();
  let trap: { text: string; fate: 'lost' | 'received'; sprung: (count: number) => void } | undefined;
  let refusing = false;

  // A lost machine does not answer the end of a connection either; a socket that is not half-open would do so automatically.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const database = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const way: Way = { client, database, silent: refusing, left: false };
    ways.add(way);
    client.on('data', (chunk) => {
      if (way.silent) return;
      const caught = trap !== undefined && chunk.includes(trap.text) ? trap : undefined;
      if (caught === undefined || caught.fate === 'received') database.write(chunk);
      if (caught === undefined) return;
      trap = undefined;
      caught.sprung(silence());
    });
    database.on('data', (chunk) => {
      if (!way.silent) client.write(chunk);
    });
    for (const [here, there] of [
      [client, database],
      [database, client],
    ] as const) {
      here.on('error', () => {});
      here.on('end', () => {
        way.left ||= here === client;
        if (!way.silent) there.end();
      });
      here.on('close', () => {
        way.left ||= here === client;
        if (way.silent) return;
        there.destroy();
        ways.delete(way);
      });
    }
  });

  function silence(): number {
    const open = ways
      .values()
      .filter((way) => !way.silent)
      .toArray();
    for (const way of open) way.silent = true;
    return open.length;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    silence,
    silenceAt: (text, fate) =>
      new Promise((sprung) => {
        trap = { text, fate, sprung };
      }),
    get silent() {
      return ways
        .values()
        .filter((way) => way.silent && !way.left)
        .toArray().length;
    },
    refuseNew(refused) {
      refusing = refused;
    },
    moveTo(other) {
      target = new URL(other);
    },
    async close() {
      for (const { client, database } of ways) [client, database].forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
