import { setTimeout as sleep } from 'node:timers/promises';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { DomainError } from '../kernel/domain-error.ts';
import { databaseBusy, databaseUnavailable, isContention, isOutOfService, isStalePlan, isTimeout } from './failures.ts';
import { ormTransaction, unitOfWorkDialect } from './orm-transaction.ts';
import { type PoolOptions, sessionPool } from './session-pool.ts';
import type { Scope, Session } from './session.ts';

/** The service's way to its rows. */
export type Database = {
  /**
   * Runs `work` in one transaction under the row-level-security role: it sees and writes rows of `clientId` only. What
   * `em` holds is flushed and everything committed before the promise resolves; if `work` throws, nothing is stored.
   *
   * `work` may run more than once, because a deadlock or serialization failure repeats it from the start (five times at
   * most), and so does a connection lost before the commit (once). So keep effects outside of the database out of it.
   * @throws DomainError unavailable: `DATABASE_BUSY`, `DATABASE_UNAVAILABLE`
   */
  unitOfWork<T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** The same, seeing every client: only for provisioning, listing clients with work, housekeeping and verification. */
  systemUnitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** @throws DomainError `DATABASE_UNAVAILABLE` */
  ping(): Promise<void>;
  /** Waits for the units of work that are running, then closes the connections. */
  close(): Promise<void>;
};

/** One transaction in progress. It ends with the function that received it. */
export type UnitOfWork = {
  /** The nil UUID in a system unit of work. */
  readonly clientId: string;
  /** MikroORM inside the transaction. Pass `disableIdentityMap: true` where rows are only read. */
  readonly em: EntityManager;
  /**
   * Hand-written SQL with `$1` parameters in the same transaction, prepared by the driver. Moments arrive as `Date`,
   * `numeric` and `bigint` as text. It does not see what `em` has not flushed. Several may be sent without waiting in
   * between; they run in that order.
   */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
};

/** What {@link openDatabase} needs. */
export type DatabaseOptions = PoolOptions & {
  readonly entities: NonNullable<Options['entities']>;
  /** Milliseconds for one statement; 15 s by default. */
  readonly statementTimeoutMs?: number;
  /** Milliseconds that a unit of work may do something else than talk to the database; 15 s by default. */
  readonly idleTimeoutMs?: number;
};

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Repetitions after a deadlock or serialization failure. */
const CONTENTION_RETRIES = 5;

/** Repetitions after a connection that was lost before the commit: enough for a server that restarted meanwhile. */
const CONNECTION_RETRIES = 1;

/** The database at `options.url`. Connects with the first unit of work; the schema must be there. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = sessionPool(options);
  const orm = await MikroORM.init(ormOptions(options));
  const limits = {
    statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 15_000,
  };
  const run = <T>(clientId: string, scope: Scope, work: (uow: UnitOfWork) => Promise<T>) =>
    repeating(options.logger, async () => transaction(await pool.acquire(), scope, work, { clientId, orm }));

  return {
    unitOfWork: (clientId, work) => run(clientId, { role: 'laurel_app', clientId, ...limits }, work),
    systemUnitOfWork: (work) => run(NIL_UUID, { role: 'laurel_system', clientId: '', ...limits }, work),
    ping: () => pool.ping(),
    async close() {
      await pool.close();
      await orm.close(true);
    },
  };
}

function ormOptions(options: DatabaseOptions): Options {
  return {
    entities: options.entities,
    clientUrl: options.url,
    driverOptions: () => unitOfWorkDialect,
    ensureDatabase: false,
    // Batched updates check versions with a plain SELECT and so lose updates; rooms lock, and write in bulk by upsert.
    useBatchUpdates: false,
    logger: (message) => options.logger?.debug(message),
    colors: false,
  };
}

/** A transaction failed when nothing can have been stored yet, and the connection is to blame. */
class ConnectionLost extends Error {}

async function transaction<T>(
  session: Session,
  scope: Scope,
  work: (uow: UnitOfWork) => Promise<T>,
  unit: { clientId: string; orm: MikroORM },
): Promise<T> {
  let ended = false;
  const assertOpen = (): void => {
    // The session may serve another client by now: code that nobody awaited must not reach it.
    if (ended) throw new Error('The unit of work has ended: await every statement inside of it.');
  };
  let em: EntityManager | undefined;
  const uow: UnitOfWork = {
    clientId: unit.clientId,
    get em() {
      assertOpen();
      if (em === undefined) {
        em = unit.orm.em.fork();
        em.setTransactionContext(ormTransaction(session, assertOpen));
      }
      return em;
    },
    async query(sql, values) {
      assertOpen();
      return session.query(sql, values);
    },
  };
  try {
    session.begin(scope);
    const result = await work(uow);
    await em?.flush();
    ended = true;
    await session.commit();
    return result;
  } catch (error) {
    ended = true;
    await session.rollback();
    if (session.lost && !(error instanceof DomainError)) throw new ConnectionLost('connection lost', { cause: error });
    throw error;
  } finally {
    session.release();
  }
}

async function repeating<T>(logger: Logger | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let contentions = 0, losses = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (isContention(error)) {
        if (++contentions > CONTENTION_RETRIES) throw databaseBusy(error);
        logger?.debug({ err: error, contentions }, 'the unit of work gave way to another and is repeated');
        await sleep(Math.random() * 5 * 2 ** contentions);
        continue;
      }
      if (error instanceof ConnectionLost || isStalePlan(error)) {
        if (++losses > CONNECTION_RETRIES) throw databaseUnavailable(error);
        logger?.warn(
          { err: error },
          'the database connection was lost before the commit; the unit of work is repeated',
        );
        continue;
      }
      if (isTimeout(error)) throw databaseBusy(error);
      if (isOutOfService(error)) throw databaseUnavailable(error);
      throw error;
    }
  }
}
