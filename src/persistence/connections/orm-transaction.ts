import {
  CompiledQuery,
  type ConnectionProvider,
  ControlledTransaction,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { NulInStatement } from './failures.ts';
import type { Session } from './session.ts';

/**
 * MikroORM accesses PostgreSQL through Kysely. This Kysely opens no connections: it receives the connection of a unit of work, and
 * only if that uses MikroORM. A small unit of work takes half the time without it.
 */
export const unitOfWorkDialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createDriver: () => driver,
};

const driver: Driver = {
  async init() {},
  async destroy() {},
  async releaseConnection() {},
  /** An entity manager without a unit of work, for example a fork of one, would see the rows of every client. */
  async acquireConnection() {
    throw new Error('This entity manager belongs to no unit of work: use the one that the unit of work hands out.');
  },
  async beginTransaction() {},
  async commitTransaction() {},
  async rollbackTransaction() {},
  savepoint: (connection, name) => run(connection, `savepoint ${name}`),
  rollbackToSavepoint: (connection, name) => run(connection, `rollback to savepoint ${name}`),
  releaseSavepoint: (connection, name) => run(connection, `release savepoint ${name}`),
};

const kysely = new Kysely<never>({ dialect: unitOfWorkDialect });

/**
 * The open transaction of `session`, in the form that MikroORM expects.
 * @param beforeEach called before each statement; it throws once the unit of work has ended, because the session may serve
 * another client by then
 */
export function ormTransaction(session: Session, beforeEach: () => void): ControlledTransaction<never> {
  const connection = connectionOver(session, beforeEach);
  const provider: ConnectionProvider = {
    provideConnection: (consumer) => consumer(connection),
  };
  return new ControlledTransaction<never>({
    config: { dialect: unitOfWorkDialect },
    dialect: unitOfWorkDialect,
    driver,
    executor: kysely.getExecutor().withConnectionProvider(provider),
    connection: { connection, release() {} },
  });
}

function connectionOver(session: Session, beforeEach: () => void): DatabaseConnection {
  return {
    async executeQuery<Row>(compiled: CompiledQuery) {
      // MikroORM writes the values into the text, and PostgreSQL would read a NUL as the end of the statement.
      if (compiled.sql.includes('\0')) throw new NulInStatement();
      beforeEach();
      const result = await session.send(compiled.sql, compiled.parameters);
      const affected = result.command === 'SELECT' ? undefined : BigInt(result.rowCount ?? 0);
      return { rows: result.rows as Row[], numAffectedRows: affected };
    },
    // oxlint-disable-next-line require-yield -- Kysely's interface wants a generator.
    async *streamQuery() {
      throw new Error('Streaming is not supported: read page by page along the primary key.');
    },
  };
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
