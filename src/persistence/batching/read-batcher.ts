import { DomainError } from '../../kernel/errors/domain-error.ts';
import { createBatcher } from './batcher.ts';
import type { UnitOfWork } from '../connections/transaction.ts';

/** Concurrent transactions of reads. With 4 each collects fewer reads, and PostgreSQL needs 1.5 times the time for a read. */
const CONCURRENCY = 2;

/** Milliseconds after which a transaction of reads gives its slot back: with less, too few reads share a transaction under load. */
const SLOW_MS = 250;

/** The maximum of reads in one transaction: the answer to the first waits for the last. */
const READS_MAX = 64;

type Read = (uow: UnitOfWork) => Promise<unknown>;

/** Runs work in a transaction of a client. */
type Run = <T>(clientId: string, work: (uow: UnitOfWork) => Promise<T>) => Promise<T>;

/**
 * Concurrent reads of one client share one transaction, like events: the overhead of a read (connection, BEGIN, role, client, COMMIT, each
 * with a round trip) cost more than the read itself. Their statements are sent one after the other without waiting. A read that fails in
 * the database also fails the others' statements, and then each runs alone.
 * @param transact runs `work` in one transaction of the client that cannot write
 */
export function readBatcher(transact: Run): { readonly read: Run; readonly waiting: () => number } {
  const batcher = createBatcher<Read, unknown>({
    name: 'reads',
    concurrency: CONCURRENCY,
    slowMs: SLOW_MS,
    batchMax: READS_MAX,
    run: (clientId, reads) => transact(clientId, (uow) => readAll(uow, reads)),
  });
  return {
    read: <T>(clientId: string, read: (uow: UnitOfWork) => Promise<T>) => batcher.submit(clientId, read) as Promise<T>,
    waiting: batcher.waiting,
  };
}

/** A refusal (404) is the answer to one read; any other failure is that of the transaction. */
async function readAll(uow: UnitOfWork, reads: readonly Read[]): Promise<unknown[]> {
  const results = await Promise.allSettled(reads.map((read) => read(uow)));
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (result.reason instanceof DomainError) return result.reason;
    throw result.reason;
  });
}
