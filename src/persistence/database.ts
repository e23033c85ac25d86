import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { createConnectionSlots } from './connections/connection-slots.ts';
import { unitOfWorkDialect } from './connections/orm-transaction.ts';
import { withRetries } from './connections/transaction-retries.ts';
import { NIL_UUID } from '../kernel/ids.ts';
import { readBatcher } from './batching/read-batcher.ts';
import { ACQUIRE_TIMEOUT_MS, type PoolOptions, sessionPool } from './connections/session-pool.ts';
import type { Scope } from './connections/scope-settings.ts';
import { type Attempt, transaction, type UnitOfWork } from './connections/transaction.ts';

export type { UnitOfWork } from './connections/transaction.ts';

/** The database of the service. */
export type Database = {
  /**
   * Runs `work` in one transaction under the row-level-security role: it sees and writes rows of `clientId` only. `em`
   * is flushed and the transaction committed before the promise resolves; if `work` throws, nothing is stored.
   *
   * `work` may run more than once, because a deadlock or serialization failure repeats it from the start (five times at
   * most), and so does a connection lost before the commit (once); both for ten seconds, and not after the process was
   * frozen. So keep effects outside of the database out of it.
   * @throws DomainError unavailable: `DATABASE_BUSY`, `DATABASE_FULL`, `DATABASE_UNAVAILABLE`
   */
  unitOfWork<T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** The same, but with a rollback at the end, for simulations. `em` is not flushed. */
  rehearse<T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /**
   * The same for several clients at once, in one transaction: for small units of work that wait for no locks. `work` runs for each, in
   * parallel, in a separate unit of work.
   * @returns the results of `work` after the commit
   * @throws the first error, for example `NeedsOwnTransaction` or a lock timeout: then none is stored, and each may run alone
   */
  unitsOfWork<T>(clientIds: readonly string[], work: (uow: UnitOfWork, index: number) => Promise<T>): Promise<T[]>;
  /**
   * Runs a short read in one transaction with other concurrent reads of the client. It sees the commits before its statements, and cannot
   * change or lock rows. It is for reads of one account, not for lists and searches, because the others wait for the slowest.
   * @throws DomainError unavailable: `DATABASE_BUSY`, `DATABASE_UNAVAILABLE`
   */
  read<T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** A unit of work that sees every client: only for provisioning, listing clients with work, housekeeping and verification. */
  systemUnitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** Calls `listener` with every unit of work of a client that can change rows, before its work. It must be quick and must not fail. */
  onBegun(listener: (uow: UnitOfWork) => void): void;
  /**
   * Calls `listener` with the same before the commit, after its work, when it has all its locks. It must be quick for most; if it fails,
   * nothing is stored.
   */
  onCommitting(listener: (uow: UnitOfWork) => Promise<void> | undefined): void;
  /** Calls `listener` with every committed unit of work, before its promise resolves. It must be quick; its errors have no effect. */
  onCommitted(listener: (uow: UnitOfWork) => void): void;
  /** Calls `listener` with the error of each attempt at a unit of work, also before a retry. It must be quick. */
  onFailed(listener: (error: unknown) => void): void;
  /** The current use of the database connections of this process. */
  load(): DatabaseLoad;
  /** @throws DomainError `DATABASE_UNAVAILABLE` */
  ping(): Promise<void>;
  /**
   * Ends every running unit of work, and runs none from now on: each throws `DATABASE_UNAVAILABLE`, and uncommitted changes are lost. Use:
   * a process has to end while its units of work wait for locks of others. Resolves within about a second and never fails.
   */
  abortTransactions(): Promise<void>;
  /** Waits for the running units of work, then closes the connections. */
  close(): Promise<void>;
};

/** The connections in use, and the waiting callers. */
export type DatabaseLoad = {
  /** The number of open connections; then the maximum, and the connections in use. */
  readonly connections: number;
  readonly connectionsMax: number;
  readonly connectionsUsed: number;
  /** Units of work that wait for a connection. */
  readonly unitsWaiting: number;
  /** Reads that wait for a transaction to share. */
  readonly readsWaiting: number;
};

/** The options of {@link openDatabase}. */
export type DatabaseOptions = PoolOptions & {
  readonly entities: NonNullable<Options['entities']>;
  /** Milliseconds for one statement; 15 s by default. */
  readonly statementTimeoutMs?: number;
  /** Milliseconds that a unit of work may pause between its statements; 15 s by default. */
  readonly idleTimeoutMs?: number;
};

/** Milliseconds for which several clients in one transaction wait for a row: a blocked one delays all. */
const SHARED_LOCK_TIMEOUT_MS = 50;

/** The user of connections for units of work that share a transaction. */
const SEVERAL = 'several';

/** The database at `options.url`. It connects with the first unit of work; the schema must exist. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = sessionPool(options);
  const orm = await MikroORM.init(ormOptions(options));
  const limits = {
    statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 15_000,
  };
  const begunListeners: ((uow: UnitOfWork) => void)[] = [];
  const begun = (uow: UnitOfWork) => begunListeners.forEach((listener) => listener(uow));
  const committingListeners: ((uow: UnitOfWork) => Promise<void> | undefined)[] = [];
  const committing = async (uow: UnitOfWork) => {
    for (const listener of committingListeners) await listener(uow);
  };
  const listeners: ((uow: UnitOfWork) => void)[] = [];
  const committed = (uow: UnitOfWork) => listeners.forEach((listener) => listener(uow));
  const failureListeners: ((error: unknown) => void)[] = [];
  const failed = (error: unknown) => failureListeners.forEach((listener) => listener(error));
  const slots = createConnectionSlots({
    slots: options.poolMax,
    timeoutMs: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    unlimited: NIL_UUID,
  });
  const runAll = <T>(clientIds: readonly string[], scope: Scope, work: Attempt<T>['work']) => {
    const changes = scope.role === 'laurel_app' && scope.readOnly !== true ? { begun, committing } : {};
    const attempt = async () =>
      transaction({ session: await pool.acquire(), orm, clientIds, scope, work, committed, ...changes });
    // Several clients use a separate user: a client without free slots must not keep the others waiting.
    const [user] = clientIds.length === 1 ? clientIds : [SEVERAL];
    return withRetries(() => slots.run(user!, attempt), options.logger, failed);
  };
  const run = async <T>(clientId: string, scope: Scope, work: (uow: UnitOfWork) => Promise<T>) => {
    const [result] = await runAll([clientId], scope, work);
    return result as T;
  };

  const reads = readBatcher((clientId, work) =>
    run(clientId, { role: 'laurel_app', readOnly: true, clientId, ...limits }, work),
  );

  return {
    read: reads.read,
    unitOfWork: (clientId, work) => run(clientId, { role: 'laurel_app', clientId, ...limits }, work),
    async rehearse<T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>) {
      try {
        return await run(clientId, { role: 'laurel_app', clientId, ...limits }, async (uow): Promise<T> => {
          throw new Rehearsed(await work(uow));
        });
      } catch (error) {
        if (error instanceof Rehearsed) return error.result as T;
        throw error;
      }
    },
    unitsOfWork(clientIds, work) {
      const scope = { role: 'laurel_app', clientId: clientIds[0]!, ...limits } as const;
      return runAll(clientIds, { ...scope, lockTimeoutMs: SHARED_LOCK_TIMEOUT_MS, awaitsAnswers: true }, work);
    },
    systemUnitOfWork: (work) => run(NIL_UUID, { role: 'laurel_system', clientId: '', ...limits }, work),
    onBegun: (listener) => void begunListeners.push(listener),
    onCommitting: (listener) => void committingListeners.push(listener),
    onCommitted: (listener) => void listeners.push(listener),
    onFailed: (listener) => void failureListeners.push(listener),
    ping: () => pool.ping(),
    load: () => ({ ...pool.load(), unitsWaiting: slots.waiting(), readsWaiting: reads.waiting() }),
    abortTransactions: () => pool.abortTransactions(),
    async close() {
      await pool.close();
      await orm.close(true);
    },
  };
}

/** Rolls back a completed unit of work. */
class Rehearsed extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('The unit of work was a rehearsal.');
    this.result = result;
  }
}

function ormOptions(options: DatabaseOptions): Options {
  return {
    entities: options.entities,
    clientUrl: options.url,
    driverOptions: () => unitOfWorkDialect,
    ensureDatabase: false,
    // Batched updates check versions with a plain SELECT and so lose updates; modules lock, and write in bulk by upsert.
    useBatchUpdates: false,
    logger: (message) => options.logger?.debug(message),
    colors: false,
  };
}
