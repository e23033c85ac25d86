import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import pg from 'pg';
import { DomainError } from '../kernel/domain-error.ts';
import { isFatal, isStalePlan, outcomeUnknown } from './failures.ts';

/** What a transaction may see, and how long it may take. */
export type Scope = {
  readonly role: 'laurel_app' | 'laurel_system';
  /** A canonical UUID, or empty in a system unit of work. */
  readonly clientId: string;
  /** Milliseconds for one statement. */
  readonly statementTimeoutMs: number;
  /** Milliseconds between two statements; afterwards PostgreSQL ends the connection, and with it the locks. */
  readonly idleTimeoutMs: number;
};

/**
 * One connection of the pool, as a unit of work uses it: MikroORM through Kysely's `DatabaseConnection`, hand-written SQL
 * through `query`. Both wait in the one queue of the PostgreSQL client, so they may be mixed.
 */
export type Session = DatabaseConnection & {
  /** Opens the transaction, takes the role and names the client, in one round trip. */
  begin(scope: Scope): Promise<void>;
  /** Sends parameters as parameters; the statement is prepared once per connection. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** @throws DomainError `DATABASE_UNAVAILABLE` where nobody can tell whether it was committed */
  commit(): Promise<void>;
  /** Never fails: a connection that cannot roll back is not used again, and PostgreSQL rolls back by itself. */
  rollback(): Promise<void>;
  /** Whether the connection is gone. */
  readonly lost: boolean;
  /** Back to the pool, or away if it cannot be trusted any more. */
  release(): void;
};

/**
 * Distinct statements prepared per connection; those beyond are sent unprepared. A statement costs PostgreSQL some 20 KB
 * in each connection, and this service has far fewer: the bound is for one that builds SQL text from input.
 */
const PREPARED_MAX = 500;

/** The session of a pooled client; one client has one session for its whole life, because it knows what is prepared. */
export function sessionOf(client: pg.PoolClient, preparedStatements: boolean): Session {
  const names = new Map<string, string>();
  let open = false;
  let lost = false;
  let broken = false;
  // While a client is in use, the pool leaves its errors to the user, and one that nobody hears ends the process.
  client.on('error', () => (lost = true));
  client.on('end', () => (lost = true));

  function nameOf(sql: string): string | undefined {
    if (!preparedStatements) return undefined;
    const known = names.get(sql);
    if (known !== undefined || names.size >= PREPARED_MAX) return known;
    const name = `laurel_${names.size + 1}`;
    names.set(sql, name);
    return name;
  }

  async function send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await client.query(query);
    } catch (error) {
      if (isFatal(error)) lost = true;
      if (isStalePlan(error)) broken = true;
      throw error;
    }
  }

  return {
    get lost() {
      return lost;
    },

    async begin(scope) {
      await send({ text: `begin; ${settingsOf(scope)}` });
      open = true;
    },

    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      assertOpen(open);
      const result = await send({ name: nameOf(sql), text: sql, values: [...values], types: pg.types });
      return result.rows as Row[];
    },

    async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
      assertOpen(open);
      // MikroORM has put the values into the text; without parameters PostgreSQL takes the short protocol.
      const result = await send({ text: compiled.sql, values: [...compiled.parameters] });
      return { rows: result.rows as Row[], numAffectedRows: affectedBy(result) };
    },

    // oxlint-disable-next-line require-yield -- Kysely's interface wants a generator.
    async *streamQuery() {
      throw new Error('Streaming is not supported: read page by page along the primary key.');
    },

    async commit() {
      open = false;
      const result = await send({ text: 'commit' }).catch((error: unknown) => {
        if (!lost) throw error;
        throw outcomeUnknown(error);
      });
      // PostgreSQL answers COMMIT of a failed transaction with success and the word ROLLBACK.
      if (result.command === 'ROLLBACK') {
        throw new Error('The unit of work went on after a statement had failed, so nothing was stored.');
      }
    },

    async rollback() {
      open = false;
      if (lost) return;
      await send({ text: 'rollback' }).catch(() => (broken = true));
    },

    release() {
      client.release(lost || broken || open);
    },
  };
}

/** Text and not parameters, because only the simple protocol takes two statements at once; both values are checked. */
function settingsOf(scope: Scope): string {
  if (!/^[0-9a-f-]{36}$|^$/.test(scope.clientId)) {
    throw new DomainError('invalid', 'BAD_REQUEST', 'A client id must be a UUID in lower case.');
  }
  const settings = {
    role: scope.role,
    'laurel.client_id': scope.clientId,
    statement_timeout: scope.statementTimeoutMs,
    idle_in_transaction_session_timeout: scope.idleTimeoutMs,
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${calls.join(', ')}`;
}

/** Outside of a transaction the connection has the rights of its login, which may see every client. */
function assertOpen(open: boolean): void {
  if (!open) throw new Error('No unit of work is open on this connection: use the entity manager that it handed out.');
}

function affectedBy(result: pg.QueryResult): bigint | undefined {
  return result.command === 'SELECT' || result.rowCount === null ? undefined : BigInt(result.rowCount);
}
