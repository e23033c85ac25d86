import type { Socket } from 'node:net';
import pg from 'pg';
import { arrayParameter } from './array-parameter.ts';
import { createWriteCoalescer } from './write-coalescer.ts';
import {
  isFatal,
  isNodeLost,
  isReadOnlyServer,
  isStalePlan,
  isStatementLost,
  outcomeUnknown,
  Unfit,
} from './failures.ts';
import { types } from './parse-moment.ts';
import { PINNED_LOCALLY, pinSession } from './pinned-settings.ts';
import type { ServerProcess } from './server-process.ts';
import { BEGIN, type Begun, openingOf, type Scope, setLocal, type Settings } from './scope-settings.ts';
import { statementName } from './statement-name.ts';
import { statementSpan } from './statement-span.ts';

/**
 * One connection of the pool, for one transaction after the other. Statements are pipelined: each is sent at once, and
 * they run in the order in which they were sent.
 */
export type Session = {
  /**
   * Opens the transaction, takes the role and names the client, all with the first packet; no answer is awaited. If it
   * fails, then so does every statement after it, with its error.
   */
  begin(scope: Scope): void;
  /** Sends parameters as parameters; the statement is prepared once per connection. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same, but not prepared. */
  queryOnce<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Whether the tables are spread over nodes; in a transaction. */
  isDistributed(): Promise<boolean>;
  /** Changes settings until the transaction ends, with one packet. */
  set(settings: Settings): Promise<void>;
  /**
   * Outside of a transaction: whether the server takes no changes.
   * @throws Unfit where a moment does not arrive as what it is
   */
  isReadOnly(): Promise<boolean>;
  /** For MikroORM, which puts the values into the text and parses moments by itself. */
  send(sql: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  /** @throws DomainError `DATABASE_UNAVAILABLE` where nobody can tell whether it was committed */
  commit(): Promise<void>;
  /** Never fails: a connection that cannot roll back is not used again, and PostgreSQL rolls back by itself. */
  rollback(): Promise<void>;
  /** Whether the connection is gone, or leads to a server that takes no changes any more: another may be able to. */
  readonly lost: boolean;
  /** How far the server is with what it was sent. */
  readonly pulse: Pulse;
  /** Destroys the connection at once. What waits for an answer fails, and nothing is sent to the server any more. */
  abandon(cause: Error): void;
  /** The connection is not to be used again after the present user. */
  discardAfterUse(): void;
  /** What PostgreSQL said when it ended the connection by itself; undefined if it said nothing. */
  readonly terminationError: Error | undefined;
  /** Back to the pool, or away if it cannot be trusted any more. */
  release(): void;
};

/** What can be seen of a connection from outside. */
export type Pulse = {
  /** Statements that were sent, and those of them that were answered. */
  readonly sent: number;
  readonly answered: number;
  /** Bytes that have arrived. */
  readonly received: number;
  /** The open transaction as `pg_stat_activity` knows it. Undefined outside of one, and until its begin is answered. */
  readonly transaction: ServerProcess | undefined;
  /** What serves the connection, whatever it does. Undefined behind a pooler, and until the first begin is answered. */
  readonly process: ServerProcess | undefined;
  /** Milliseconds that PostgreSQL gives a statement of this transaction; undefined outside of one. */
  readonly statementTimeoutMs: number | undefined;
};

/** How a session is made. */
export type SessionOptions = {
  readonly preparedStatements: boolean;
  /** Told when the server has refused a change because it takes none (any more). */
  readonly onReadOnly?: () => void;
  /** Told when the server did not have the statements that were prepared on the connection. */
  readonly onStatementLost?: () => void;
  /** Told when a statement that was prepared on the connection does not fit its table any more. */
  readonly onStalePlan?: () => void;
};

/**
 * Distinct statements prepared per connection; those beyond are sent unprepared. A statement costs PostgreSQL some 20 KB
 * in each connection, and this service has far fewer: the bound is for one that builds SQL text from input.
 */
const PREPARED_MAX = 500;

/** A moment that every server knows, in one more than the digits that are read. */
const KNOWN_MOMENT = '2026-11-22 05:29:00.123456+00';

const PROBE = `select current_setting('transaction_read_only') = 'on' as "readOnly", timestamptz '${KNOWN_MOMENT}' as moment`;

type Probed = { readonly readOnly: boolean; readonly moment: Date };

/** The session of a pooled client; one client has one session for its whole life, because it knows what is prepared. */
export function sessionOf(
  client: pg.PoolClient,
  { preparedStatements, onReadOnly, onStatementLost, onStalePlan }: SessionOptions,
): Session {
  const names = new Map<string, string>();
  let begun: Promise<unknown> = Promise.resolve();
  let scope: Scope | undefined;
  let transaction: ServerProcess | undefined;
  let process: ServerProcess | undefined;
  let isDistributed = false;
  let lost = false;
  let unusable = false;
  let sent = 0;
  let answered = 0;
  const { connection } = client;
  let terminationError: Error | undefined;
  // While a client is in use, the pool leaves its errors to the user, and one that nobody hears ends the process.
  client.on('error', (error) => {
    lost = true;
    terminationError ??= error;
  });
  client.on('end', () => (lost = true));
  // Nobody waits for it: until it is answered, and where it fails, each transaction pins for itself.
  pinSession(client).then(
    (pinned) => (process = pinned),
    () => {},
  );

  const { beforeStatement, afterAnswer } = createWriteCoalescer(connection.stream, () => scope?.awaitsAnswers === true);

  function nameOf(sql: string): string | undefined {
    if (!preparedStatements) return undefined;
    const known = names.get(sql);
    if (known !== undefined || names.size >= PREPARED_MAX) return known;
    const name = statementName(sql);
    names.set(sql, name);
    return name;
  }

  /** Sends at once, but the caller first hears of a transaction that could not be opened. */
  async function send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    beforeStatement();
    sent += 1;
    const span = statementSpan(query.text);
    const result = client.query(query);
    try {
      await begun;
      return await result;
    } catch (error) {
      span?.fail();
      result.catch(() => {});
      judge(error);
      throw error;
    } finally {
      span?.end();
      answered += 1;
      afterAnswer();
    }
  }

  /** What an error says about the connection. */
  function judge(error: unknown): void {
    if (isFatal(error)) lost = true;
    if (isStalePlan(error)) unusable = true;
    if (isStatementLost(error)) onStatementLost?.();
    else if (isStalePlan(error)) onStalePlan?.();
    // The service declares what only reads, so that a server that refuses here was demoted.
    if (isReadOnlyServer(error) && scope?.readOnly !== true) {
      lost = true;
      onReadOnly?.();
    }
  }

  function ended(): void {
    scope = undefined;
    transaction = undefined;
    begun = Promise.resolve();
  }

  return {
    get lost() {
      return lost;
    },

    get terminationError() {
      return terminationError;
    },

    get pulse() {
      const received = (connection.stream as Socket).bytesRead;
      return { sent, answered, received, transaction, process, statementTimeoutMs: scope?.statementTimeoutMs };
    },

    abandon(cause) {
      lost = true;
      connection.stream.destroy(cause);
    },

    discardAfterUse() {
      unusable = true;
    },

    begin(next) {
      scope = next;
      beforeStatement();
      sent += 1;
      const begin = `${BEGIN}${next.readOnly ? ' read only' : ''}`;
      const settings = openingOf(next, process !== undefined);
      // Apart where there are nodes: each is sent the whole text that a SET stands in, and has begun by itself.
      const apart = isDistributed;
      if (apart) client.query(begin).catch(() => {});
      const opening = client.query(apart ? settings : `${begin}; ${settings}`);
      // Anyone who sends the next statement hears of a failure.
      opening.then(
        (results) => {
          answered += 1;
          afterAnswer();
          // One result for each of several statements, which the types do not know.
          const each = [results].flat() as unknown as pg.QueryResult<Begun>[];
          const { pid, since, distributed } = each[apart ? 0 : 1]!.rows[0]!;
          transaction = { pid, since };
          isDistributed = distributed;
        },
        () => {
          answered += 1;
          afterAnswer();
        },
      );
      begun = opening;
    },

    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      const result = await send({ name: nameOf(sql), text: sql, values: values.map(parameterOf), types });
      return result.rows as Row[];
    },

    async queryOnce<Row extends object>(sql: string, values: readonly unknown[] = []) {
      const result = await send({ text: sql, values: values.map(parameterOf), types });
      return result.rows as Row[];
    },

    async isDistributed() {
      await begun;
      return isDistributed;
    },

    async set(settings) {
      await send({ text: setLocal(settings) });
    },

    async isReadOnly() {
      const text = process === undefined ? `${BEGIN}; select ${PINNED_LOCALLY}; ${PROBE}; rollback` : PROBE;
      const results = [await send({ text, types })].flat() as unknown as pg.QueryResult<Probed>[];
      const { readOnly, moment } = results.flatMap(({ rows }) => rows).find((row) => 'moment' in row)!;
      if (moment.getTime() !== Date.parse(KNOWN_MOMENT)) {
        throw new Unfit(`PostgreSQL was asked for ${KNOWN_MOMENT}, and what arrived is ${moment.toISOString()}.`);
      }
      return readOnly;
    },

    send: (sql, values) => send({ text: sql, values: [...values] }),

    async commit() {
      // A transaction that has not begun, or whose connection is gone before it is told to commit, has done nothing.
      await begun;
      if (lost) throw new Error('The connection was lost before the commit.');
      const result = await send({ text: 'commit' }).catch((error: unknown) => {
        // Of a node that is lost nobody can tell whether it had committed.
        throw lost || isNodeLost(error) ? outcomeUnknown(error) : error;
      });
      ended();
      // PostgreSQL answers COMMIT of a failed transaction with success and the word ROLLBACK.
      if (result.command === 'ROLLBACK') {
        throw new Error('The unit of work went on after a statement had failed, so nothing was stored.');
      }
    },

    async rollback() {
      if (scope === undefined || lost) return;
      begun = Promise.resolve();
      await send({ text: 'rollback' }).catch(() => (unusable = true));
      ended();
    },

    release() {
      client.release(scope !== undefined || lost || unusable);
    },
  };
}

/** The driver asks for the form of an array when it writes it, so that none is kept until the answer has come. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) ? { toPostgres: () => arrayParameter(value) ?? value } : value;
}
