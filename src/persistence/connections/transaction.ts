import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { ConnectionLost } from './failures.ts';
import { ormTransaction } from './orm-transaction.ts';
import type { Scope, Settings } from './scope-settings.ts';
import type { Session } from './session.ts';

/** One transaction in progress. It ends with the function that received it. */
export type UnitOfWork = {
  /** The nil UUID in a system unit of work. */
  readonly clientId: string;
  /**
   * Whether units of other clients are in the same transaction. Then a rollback to a savepoint would undo their work: work that
   * needs one throws `NeedsOwnTransaction` instead.
   */
  readonly isShared: boolean;
  /** MikroORM inside the transaction. Pass `disableIdentityMap: true` where rows are only read. */
  readonly em: EntityManager;
  /**
   * Hand-written SQL with `$1` parameters in the same transaction, prepared by the driver. Moments arrive as `Date`,
   * `numeric` and `bigint` as text. It does not see changes that `em` has not flushed. Several may be sent without waiting for
   * answers; they run in the order of sending.
   */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same for SQL whose text depends on the request: not prepared, because callers could produce any number of texts. */
  queryOnce<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Whether the tables are spread over several PostgreSQL servers: docs/scale-out.md. Waits for the begin of the transaction. */
  isDistributed(): Promise<boolean>;
  /** Changes settings of PostgreSQL for the rest of the transaction, also for the other units in it. */
  set(settings: Settings): Promise<void>;
};

/** The parameters of one attempt at a transaction. */
export type Attempt<T> = {
  readonly session: Session;
  readonly orm: MikroORM;
  /** The clients of the units of work: one, or several that share the transaction. */
  readonly clientIds: readonly string[];
  readonly scope: Scope;
  /** The work of one client; `index` is its position in `clientIds`. */
  readonly work: (uow: UnitOfWork, index: number) => Promise<T>;
  /** Called for each unit of work before its work. */
  readonly begun?: (uow: UnitOfWork) => void;
  /** Called for each unit of work before the commit, when all its other statements are done. */
  readonly committing?: (uow: UnitOfWork) => Promise<void>;
  /** Called for each unit of work after the commit. */
  readonly committed?: (uow: UnitOfWork) => void;
};

/**
 * Runs `work` for each client, in parallel in one transaction on `session`, once, and releases the session. Each unit sees and writes
 * rows of its client only: before a statement of another client, the setting that row-level security reads is changed.
 * If one unit fails, none has stored anything.
 * @returns the result of `work` for each client, in order
 * @throws ConnectionLost if the connection was lost before anything can have been stored; else the error of `work` or PostgreSQL
 */
export async function transaction<T>({ session, scope, work, ...whose }: Attempt<T>): Promise<T[]> {
  const { begun, committing, committed } = whose;
  const units = openUnits(session, scope, whose);
  const end = () => units.forEach((unit) => unit.end());
  try {
    session.begin(scope);
    if (begun) for (const { uow } of units) begun(uow);
    const results = await Promise.all(units.map(({ uow }, index) => work(uow, index)));
    for (const unit of units) await unit.flush();
    if (committing) for (const { uow } of units) await committing(uow);
    end();
    await session.commit();
    if (committed) for (const { uow } of units) committed(uow);
    return results;
  } catch (error) {
    end();
    await session.rollback();
    throw session.lost && !(error instanceof DomainError)
      ? new ConnectionLost(session.terminationError ?? error)
      : error;
  } finally {
    session.release();
  }
}

/** A unit of work, with the functions that only {@link transaction} may call. */
type OpenUnit = { readonly uow: UnitOfWork; flush(): Promise<void>; end(): void };

function openUnits(session: Session, scope: Scope, whose: Pick<Attempt<unknown>, 'clientIds' | 'orm'>): OpenUnit[] {
  const { clientIds, orm } = whose;
  let named = scope.clientId;
  const isShared = clientIds.length > 1;
  /** The client applies to every later statement, because statements run in the order of sending. */
  const name = (clientId: string): void => {
    if (!isShared || named === clientId) return;
    named = clientId;
    // If it fails, so does every later statement.
    session.set({ 'laurel.client_id': clientId }).catch(() => {});
  };
  return clientIds.map((clientId) => openUnit(session, { clientId, orm, isShared, name: () => name(clientId) }));
}

type UnitOptions = {
  readonly clientId: string;
  readonly orm: MikroORM;
  readonly isShared: boolean;
  /** Sets this client for the next statement. */
  readonly name: () => void;
};

function openUnit(session: Session, { clientId, orm, isShared, name }: UnitOptions): OpenUnit {
  let ended = false;
  let em: EntityManager | undefined;
  // The session may serve another client afterwards: code that was not awaited must not use it.
  const assertOpen = (): void => {
    if (ended) throw new Error('The unit of work has ended: await every statement inside of it.');
  };
  const prepare = (): void => {
    assertOpen();
    name();
  };
  return {
    uow: {
      clientId,
      isShared,
      get em() {
        assertOpen();
        if (em === undefined) {
          em = orm.em.fork();
          em.setTransactionContext(ormTransaction(session, prepare));
        }
        return em;
      },
      async query(sql, values) {
        prepare();
        return session.query(sql, values);
      },
      async queryOnce(sql, values) {
        prepare();
        return session.queryOnce(sql, values);
      },
      async isDistributed() {
        assertOpen();
        return session.isDistributed();
      },
      async set(settings) {
        prepare();
        return session.set(settings);
      },
    },
    async flush() {
      await em?.flush();
    },
    end() {
      ended = true;
    },
  };
}
