import { connect, createServer, type Socket } from 'node:net';

/** The text of a COMMIT message: it ends there, unlike the isolation level in a BEGIN. */
export const COMMIT = 'commit\0';

/** The time at which a connection breaks. `half` is like `unheard`, but the database does not notice the break either. */
export type Moment = 'unheard' | 'answered' | 'half';

/** Gives a connection the answers that were held back. */
type Release = () => void;

/** A connection to watch for: `onHeld` is called in place of a break. */
type Trap = {
  readonly text: string;
  readonly moment: Moment | 'held';
  readonly mark: string;
  readonly sparing: RegExp | undefined;
  readonly onHeld?: (release: Release) => void;
};

/** A way to the database that breaks on purpose. */
export type SeveringProxy = {
  /** The database's address, through the proxy. */
  readonly url: string;
  /**
   * Breaks the connection that next sends `text`. With `answered` the database has done the work and only its answer is lost; with
   * `unheard` it never receives the text.
   * @param mark only a transaction that has sent this text since the call of `severAt` is broken
   * @param sparing a transaction that has sent matching text is not broken, even by the name of a prepared statement
   */
  severAt(text: string, moment: Moment, mark?: string, sparing?: RegExp): void;
  /**
   * Resolves as soon as a transaction as in `severAt` has sent `text`. The database does the work, nothing is broken, and its answer
   * waits until it is released.
   */
  held(text: string, mark: string, sparing?: RegExp): Promise<Release>;
  /** Whether a requested break has not happened yet. */
  readonly armed: boolean;
  close(): Promise<void>;
};

/** The message that prepares a statement of the service: its name, and its text. */
const PARSE = /P[\s\S]{4}(laurel_[0-9a-f]{32})\0([^\0]*)\0/g;
const NAME = /laurel_[0-9a-f]{32}/g;

/** A proxy in front of the database at `databaseUrl`. */
export async function severingProxy(databaseUrl: string): Promise<SeveringProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** The texts of prepared statements by name; a name means the same on every connection. */
  const prepared = new Map<string, string>();
  let trap: Trap | undefined;

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    let swallow = false;
    let markedFor: typeof trap;
    let transaction = '';
    let half = false;
    const sever = () => half || [client, database].forEach((socket) => socket.destroy());
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', sever).on('close', () => {
        sockets.delete(socket);
        sever();
      });
    }
    client.on('data', (chunk) => {
      const sent = chunk.toString('latin1');
      const begins = /begin[\w ]*;/.test(sent);
      transaction = begins ? sent : transaction + sent;
      if (begins) markedFor = undefined;
      if (trap !== undefined && chunk.includes(trap.mark)) markedFor = trap;
      for (const [, name = '', text = ''] of sent.matchAll(PARSE)) prepared.set(name, text);
      const named = (transaction.match(NAME) ?? []).map((name) => prepared.get(name));
      const isSpared = trap?.sparing?.test([transaction, ...named].join('\n')) === true;
      const isMeant = trap !== undefined && markedFor === trap && !isSpared && chunk.includes(trap.text);
      const sprung = isMeant ? trap : undefined;
      if (sprung !== undefined) trap = undefined;
      if (sprung?.moment === 'half') {
        half = true;
        return void client.destroy();
      }
      if (sprung?.moment === 'unheard') return sever();
      swallow = sprung?.moment === 'answered';
      if (sprung?.onHeld !== undefined) {
        database.pause();
        sprung.onHeld(() => database.resume());
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => (swallow ? sever() : client.write(chunk)));
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    severAt(text, moment, mark = '', sparing) {
      trap = { text, moment, mark, sparing };
    },
    held(text, mark, sparing) {
      return new Promise((onHeld) => {
        trap = { text, moment: 'held', mark, sparing, onHeld };
      });
    },
    get armed() {
      return trap !== undefined;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
