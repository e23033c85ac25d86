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
  isFatal,
  isNodeLost,
  isReadOnlyServer,
  isStalePlan,
  isStatementLost,
  outcomeUnknown,
  Unfit,
} from './failures.ts';
import { PINNED_LOCALLY, pinSession } from './pinned-settings.ts';
import type { ServerProcess } from './server-process.ts';
import { BEGIN, type Begun, openingOf, type Scope, setLocal, type Settings } from './scope-settings.ts';
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
  send(sql: string, values: readonly unknown[]): Promise<StatementResult>;
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
export type Pulse = Traffic & {
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

/** A moment that every server knows, in one more than the digits that are read. */
const KNOWN_MOMENT = '2026-11-22 05:29:00.123456+00';

const PROBE = `select current_setting('transaction_read_only') = 'on' as "readOnly", timestamptz '${KNOWN_MOMENT}' as moment`;

type Probed = { readonly readOnly: boolean; readonly moment: Date };

/** The session of a pooled client; one client has one session for its whole life, because it knows what is prepared. */
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

  const awaitsAnswers = () => scope?.awaitsAnswers === true;
  const statements = statementsOn(client, { preparedStatements, awaitsAnswers });

  /** Sends at once, but the caller first hears of a transaction that could not be opened. */
  function send<Row extends object>(statement: Statement): Promise<StatementResult<Row>> {
    return settled(statement.text, statements.send<Row>(statement));
  }

  async function settled<Answer>(text: string, answer: Promise<Answer>): Promise<Answer> {
    const span = statementSpan(text);
    try {
      await begun;
      return await answer;
    } catch (error) {
      span?.fail();
      answer.catch(() => {});
      judge(error);
      throw error instanceof UnreadableMoment ? new Unfit(error.message, { cause: error }) : error;
    } finally {
      span?.end();
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
      const begin = `${BEGIN}${next.readOnly ? ' read only' : ''}`;
      const settings = openingOf(next, process !== undefined);
      // Apart where there are nodes: each is sent the whole text that a SET stands in, and has begun by itself.
      const apart = isDistributed;
      if (apart) statements.send({ text: begin }).catch(() => {});
      const opening = statements.sendSeveral<Begun>({ text: apart ? settings : `${begin}; ${settings}` });
      opening.then(
        (results) => {
          const { pid, since, distributed } = results[apart ? 0 : 1]!.rows[0]!;
          transaction = { pid, since };
          isDistributed = distributed;
        },
        // Anyone who sends the next statement hears of a failure.
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
      const results = await settled(text, statements.sendSeveral<Probed>({ text, momentsAs: 'Date' }));
      const { readOnly, moment } = results.flatMap(({ rows }) => rows).find((row) => 'moment' in row)!;
      if (moment.getTime() !== Date.parse(KNOWN_MOMENT)) {
        throw new Unfit(`PostgreSQL was asked for ${KNOWN_MOMENT}, and what arrived is ${moment.toISOString()}.`);
      }
      return readOnly;
    },

    send: (sql, values) => send({ text: sql, values }),

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
