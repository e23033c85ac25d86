import { connect, createServer, type Socket } from 'node:net';

/** A way to the database whose connections can stop to carry anything, as when the machine at the other end is lost. */
export type SilencingProxy = {
  /** The database's address, through the proxy. */
  readonly url: string;
  /**
   * From now on nothing passes on the connections that are open, in either direction, and neither end hears of it: what is
   * sent is taken and lost. New connections work.
   * @returns how many connections went silent
   */
  silence(): number;
  /** The same, as soon as one connection sends `text`, which is lost or not; resolves with the number that went silent. */
  silenceAt(text: string, fate: 'lost' | 'heard'): Promise<number>;
  /** Connections that are silent and that the service has not let go of. */
  readonly silent: number;
  /** Takes no new connections: they are accepted, and then nothing is said on them. */
  refuseNew(refused: boolean): void;
  /** Takes new connections to another server from now on, as an address does that moves with a fail-over. */
  moveTo(databaseUrl: string): void;
  close(): Promise<void>;
};

type Way = { readonly client: Socket; readonly database: Socket; silent: boolean; left: boolean };

/** A proxy in front of the database at `databaseUrl`. */
export async function silencingProxy(databaseUrl: string): Promise<SilencingProxy> {
  let target = new URL(databaseUrl);
  const ways = new Set<Way>();
  let trap: { text: string; fate: 'lost' | 'heard'; sprung: (count: number) => void } | undefined;
  let refusing = false;

  // A machine that is lost does not answer the end of a connection either, as a socket that is not half open would by itself.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const database = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const way: Way = { client, database, silent: refusing, left: false };
    ways.add(way);
    client.on('data', (chunk) => {
      if (way.silent) return;
      const caught = trap !== undefined && chunk.includes(trap.text) ? trap : undefined;
      if (caught === undefined || caught.fate === 'heard') database.write(chunk);
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
