import {
  cut,
  type PooledClient,
  type Statement,
  type StatementResult,
  statementsOn,
  type Traffic,
  UnreadableMoment,
} from '../driver/driver.ts';
import {
  isAfterFailure,
  isFatal,
  isNodeLost,
  isReadOnlyServer,
  isStalePlan,
  isStatementLost,
  outcomeUnknown,
  DatabaseNotReady,
} from './failures.ts';
import { PINNED_LOCALLY, pinSession } from './pinned-settings.ts';
import type { ServerProcess } from './server-process.ts';
import { BEGIN, type Begun, openingOf, type Scope, setLocal, type Settings } from './scope-settings.ts';
import { statementSpan } from './statement-span.ts';

/**
 * One connection of the pool, for one transaction after the other. Statements are pipelined: each is sent at once, and
 * the server runs them in the order of sending.
 */
export type Session = {
  /**
   * Opens the transaction, and sets the role and the client, all with the first packet; it does not wait for the answer. If it
   * fails, every later statement fails with the same error.
   */
  begin(scope: Scope): void;
  /** Sends a statement with its parameters; it is prepared once per connection. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same, but not prepared. */
  queryOnce<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Whether the tables are spread over nodes; call it in a transaction. */
  isDistributed(): Promise<boolean>;
  /** Changes settings until the transaction ends, with one packet. */
  set(settings: Settings): Promise<void>;
  /**
   * Whether the server accepts no changes; call it outside of a transaction.
   * @throws DatabaseNotReady if a moment arrives with another value
   */
  isReadOnly(): Promise<boolean>;
  /** Sends a statement of MikroORM, which writes the values into the text and parses moments. */
  send(sql: string, values: readonly unknown[]): Promise<StatementResult>;
  /** @throws DomainError `DATABASE_UNAVAILABLE` if the outcome of the commit is unknown */
  commit(): Promise<void>;
  /** Never fails: a connection that cannot roll back is not used again, and PostgreSQL then rolls back automatically. */
  rollback(): Promise<void>;
  /** Whether the connection is lost, or its server became read-only; another connection may work. */
  readonly lost: boolean;
  /** The progress of the server with the statements sent. */
  readonly state: ConnectionState;
  /** Destroys the connection at once. Statements without an answer fail, and nothing more is sent to the server. */
  abandon(cause: Error): void;
  /** Removes the connection from the pool after its present use. */
  discardAfterUse(): void;
  /** The error with which PostgreSQL ended the connection; undefined if it sent none. */
  readonly terminationError: Error | undefined;
  /** Returns the connection to the pool, or closes it if it is lost or may not be used again. */
  release(): void;
};

/** The state of a connection. */
export type ConnectionState = Traffic & {
  /** The open transaction as `pg_stat_activity` knows it. Undefined outside of one, and until its begin is answered. */
  readonly transaction: ServerProcess | undefined;
  /** The server process of the connection. Undefined behind a pooler, and until the settings of the connection are answered. */
  readonly process: ServerProcess | undefined;
  /** The `statement_timeout` of this transaction in milliseconds; undefined outside of one. */
  readonly statementTimeoutMs: number | undefined;
};

/** The options of a session. */
export type SessionOptions = {
  readonly preparedStatements: boolean;
  /** Called when the server has refused a change because it is read-only. */
  readonly onReadOnly?: () => void;
  /** Called when the server lacked a statement that was prepared on the connection. */
  readonly onStatementLost?: () => void;
  /** Called when a prepared statement is no longer valid, because its table was changed. */
  readonly onStalePlan?: () => void;
};

/** A moment in microseconds, of which milliseconds are read. */
const KNOWN_MOMENT = '2026-11-22 05:29:00.123456+00';

const PROBE = `select current_setting('transaction_read_only') = 'on' as "readOnly", timestamptz '${KNOWN_MOMENT}' as moment`;

type Probed = { readonly readOnly: boolean; readonly moment: Date };

/** The session of a pooled client. A client has one session for its lifetime, because that knows the prepared statements. */
export function sessionOf(
  client: PooledClient,
  { preparedStatements, onReadOnly, onStatementLost, onStalePlan }: SessionOptions,
): Session {
  let begun: Promise<unknown> = Promise.resolve();
  let scope: Scope | undefined;
  let transaction: ServerProcess | undefined;
  let process: ServerProcess | undefined;
  let isDistributed = false;
  let lost = false;
  let unusable = false;
  let terminationError: Error | undefined;
  let failure: unknown;
  // While a client is in use, the pool does not handle its errors, and an error without a listener ends the process.
  client.on('error', (error) => {
    lost = true;
    terminationError ??= error;
  });
  client.on('end', () => (lost = true));
  // The answer is not awaited: until it arrives, and after a failure, each transaction sets the settings.
  pinSession(client).then(
    (pinned) => (process = pinned),
    () => {},
  );

  const awaitsAnswers = () => scope?.awaitsAnswers === true;
  const statements = statementsOn(client, { preparedStatements, awaitsAnswers });

  /** Sends at once. If the transaction could not be opened, the caller gets that error first. */
  function send<Row extends object>(statement: Statement): Promise<StatementResult<Row>> {
    return traced(statement.text, statements.send<Row>(statement));
  }

  async function traced<Answer>(text: string, answer: Promise<Answer>): Promise<Answer> {
    const span = statementSpan(text);
    try {
      await begun;
      return await answer;
    } catch (error) {
      span?.fail();
      answer.catch(() => {});
      noteFailure(error);
      // A later one of the statements that are sent together can reach the caller first. It must not hide that a repeat helps.
      failure = isAfterFailure(error) ? (failure ?? error) : error;
      throw error instanceof UnreadableMoment ? new DatabaseNotReady(error.message, { cause: error }) : failure;
    } finally {
      span?.end();
    }
  }

  /** Changes the state of the connection after an error. */
  function noteFailure(error: unknown): void {
    if (isFatal(error)) lost = true;
    if (isStalePlan(error)) unusable = true;
    if (isStatementLost(error)) onStatementLost?.();
    else if (isStalePlan(error)) onStalePlan?.();
    // Transactions that only read are declared read-only, so a refusal in another one means that the server was demoted.
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

    get state() {
      return { ...statements.traffic, transaction, process, statementTimeoutMs: scope?.statementTimeoutMs };
    },

    abandon(cause) {
      lost = true;
      cut(client, cause);
    },

    discardAfterUse() {
      unusable = true;
    },

    begin(next) {
      scope = next;
      failure = undefined;
      const begin = `${BEGIN}${next.readOnly ? ' read only' : ''}`;
      const settings = openingOf(next, process !== undefined);
      // Separate with nodes: each gets the whole text that contains a SET, and has begun already.
      const apart = isDistributed;
      if (apart) statements.send({ text: begin }).catch(() => {});
      const opening = statements.sendSeveral<Begun>({ text: apart ? settings : `${begin}; ${settings}` });
      opening.then(
        (results) => {
          const { pid, since, distributed } = results[apart ? 0 : 1]!.rows[0]!;
          transaction = { pid, since };
          isDistributed = distributed;
        },
        // The next statement fails with the same error.
        () => {},
      );
      begun = opening;
    },

    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      return (await send<Row>({ text: sql, values, isPrepared: true, momentsAs: 'Date' })).rows;
    },

    async queryOnce<Row extends object>(sql: string, values: readonly unknown[] = []) {
      return (await send<Row>({ text: sql, values, momentsAs: 'Date' })).rows;
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
      const results = await traced(text, statements.sendSeveral<Probed>({ text, momentsAs: 'Date' }));
      const { readOnly, moment } = results.flatMap(({ rows }) => rows).find((row) => 'moment' in row)!;
      if (moment.getTime() !== Date.parse(KNOWN_MOMENT)) {
        throw new DatabaseNotReady(
          `PostgreSQL was asked for ${KNOWN_MOMENT}, and what arrived is ${moment.toISOString()}.`,
        );
      }
      return readOnly;
    },

    send: (sql, values) => send({ text: sql, values }),

    async commit() {
      // A transaction that has not begun, or whose connection was lost before the commit was sent, has stored nothing.
      await begun;
      if (lost) throw new Error('The connection was lost before the commit.');
      const result = await send({ text: 'commit' }).catch((error: unknown) => {
        // The outcome on a lost node is unknown.
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
