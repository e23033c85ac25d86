import type { Logger } from 'pino';
import { SilentConnection } from '../connections/failures.ts';
import { exactMoment } from '../connections/pinned-settings.ts';
import type { ServerProcess } from '../connections/server-process.ts';
import { type Watched, watchSilence } from '../connections/silence-watch.ts';
import { type Client, cut, type StatementResult, trafficOf } from '../driver/driver.ts';

/** Watches connections outside of the pool, whose statements have no time limit. */
export type ClientWatch = {
  /** Watches `client` until it ends. Call it before the first statement. */
  add(client: Client): Watched;
  stop(): void;
};

/** The dependencies of the watch. */
export type ClientWatchOptions = {
  readonly url: string;
  readonly logger?: Logger | undefined;
  /** Milliseconds without a byte after which the server is asked about a connection that owes an answer; 10 s by default. */
  readonly silenceMs?: number | undefined;
};

/** The columns that identify a transaction on its server. Code that opens one on a watched client selects them. */
export const IDENTITY = `pg_backend_pid() as transaction_pid, ${exactMoment('now()')} as transaction_since`;

/**
 * The default of `silenceMs`. It is longer than for calls: no caller waits, and a statement outside of a transaction cannot be looked up.
 */
const SILENCE_MS = 10_000;

/** Milliseconds for the answer to a statement outside of a transaction that cannot be looked up: a pooler may be full. */
const BEGIN_MS = 60_000;

/**
 * A watch without connections. After one silent connection all watched ones are destroyed, so that their statements fail. While the server
 * cannot be reached, TCP alone watches a statement in a transaction.
 */
export function watchClients({ url, logger, silenceMs = SILENCE_MS }: ClientWatchOptions): ClientWatch {
  const clients = new Set<Watched>();
  const watch = watchSilence({
    url,
    logger,
    silenceMs,
    beginMs: BEGIN_MS,
    used: () => clients,
    onSilent(count) {
      logger?.warn({ count }, 'database connections had gone silent and were given up');
      for (const each of clients) each.abandon(new SilentConnection('others were found to be'));
    },
  });
  return {
    add(client) {
      const each = watched(client);
      clients.add(each);
      client.once('end', () => clients.delete(each));
      return each;
    },
    stop: watch.stop,
  };
}

function watched(client: Client): Watched {
  let lost = false;
  let transaction: ServerProcess | undefined;
  client.once('end', () => (lost = true));
  const traffic = trafficOf(client, (results) => {
    // A text of several statements has several results.
    for (const { command, rows } of results as readonly StatementResult<Identity>[]) {
      if (command === 'COMMIT' || command === 'ROLLBACK') transaction = undefined;
      const [first] = rows;
      if (first?.transaction_since === undefined) continue;
      transaction = { pid: first.transaction_pid, since: first.transaction_since };
    }
  });

  return {
    get lost() {
      return lost;
    },
    get state() {
      return { ...traffic(), transaction, process: undefined, statementTimeoutMs: transaction && Infinity };
    },
    abandon(cause) {
      lost = true;
      cut(client, cause);
    },
  };
}

type Identity = { readonly transaction_pid: number; readonly transaction_since?: string };
