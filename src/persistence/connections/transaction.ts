import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { DomainError } from '../../kernel/domain-error.ts';
import { ConnectionLost } from './failures.ts';
import { ormTransaction } from './orm-transaction.ts';
import type { Scope, Session } from './session.ts';

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

/** What one attempt at a transaction needs. */
export type Attempt<T> = {
  readonly session: Session;
  readonly orm: MikroORM;
  readonly clientId: string;
  readonly scope: Scope;
  readonly work: (uow: UnitOfWork) => Promise<T>;
  /** Told of the unit of work once it is committed. */
  readonly committed?: (uow: UnitOfWork) => void;
};

/**
 * Runs `work` in a transaction on `session`, once, and gives the session back.
 * @throws ConnectionLost if the connection went away when nothing can have been stored yet, else what `work` or PostgreSQL threw
 */
export async function transaction<T>({ session, scope, work, committed, ...unit }: Attempt<T>): Promise<T> {
  const { uow, flush, end } = openUnit(session, unit);
  try {
    session.begin(scope);
    const result = await work(uow);
    await flush();
    end();
    await session.commit();
    committed?.(uow);
    return result;
  } catch (error) {
    end();
    await session.rollback();
    throw session.lost && !(error instanceof DomainError) ? new ConnectionLost(session.farewell ?? error) : error;
  } finally {
    session.release();
  }
}

/** A unit of work, and what only its owner may do to it. */
type OpenUnit = { readonly uow: UnitOfWork; flush(): Promise<void>; end(): void };

function openUnit(session: Session, { clientId, orm }: { clientId: string; orm: MikroORM }): OpenUnit {
  let ended = false;
  let em: EntityManager | undefined;
  // The session may serve another client afterwards: code that nobody awaited must not reach it.
  const assertOpen = (): void => {
    if (ended) throw new Error('The unit of work has ended: await every statement inside of it.');
  };
  return {
    uow: {
      clientId,
      get em() {
        assertOpen();
        if (em === undefined) {
          em = orm.em.fork();
          em.setTransactionContext(ormTransaction(session, assertOpen));
        }
        return em;
      },
      async query(sql, values) {
        assertOpen();
        return session.query(sql, values);
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
