import { declaredAttributes } from '../../clients/account-attributes.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { withLockTimeout } from '../../persistence/connections/lock-timeout.ts';
import type { Database } from '../../persistence/database.ts';
import { itemsOf, productInMode } from '../../rewards/products/products.queries.ts';
import { accountFile } from '../files/account-file.ts';
import { applyFile, LostRun } from './apply-file.ts';
import { checkFile } from '../files/check-file.ts';
import { codeFile } from '../files/code-file.ts';
import type { CsvImport } from '../csv-import.ts';
import { CsvFault } from '../files/csv/csv-fault.ts';
import type { FileKind } from '../files/file-kind.ts';
import { openFile } from '../files/file-rows.ts';
import { endImport } from '../imports.queries.ts';
import { lockImport, renewLease, type Run, saveTotal } from './jobs.queries.ts';

/** An import that this process has claimed. */
export type ImportJob = {
  readonly db: Database;
  readonly clientId: string;
  readonly source: CsvImport;
  readonly run: Run;
  readonly clock: Clock;
  /** Milliseconds without a sign of life after which another process takes over. */
  readonly leaseMs: number;
  /** Milliseconds that a batch waits for a locked row. */
  readonly lockMs: number;
  /** Ends the work between two batches. */
  readonly signal: AbortSignal;
  /** Called when webhooks may be due. */
  readonly onDelivered: () => void;
};

/**
 * Checks a file, applies it from its cursor on, and ends the import: DONE, or FAILED for a faulty file.
 * @throws LostRun, the signal's reason, and unexpected errors; the import then keeps its state
 */
export async function runImport(job: ImportJob): Promise<void> {
  try {
    await loadFile(job);
    await finishImport(job, undefined);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    await finishImport(job, fault);
  }
}

/** The message about a fault of the file or its target, for the operator; undefined for other errors. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof CsvFault) return error.message;
  const isExpected = error instanceof DomainError && error.kind !== 'UNAVAILABLE' && error.kind !== 'IN_PROGRESS';
  return isExpected ? error.message : undefined;
}

/** Ends the import for good; `error` is the reason if it failed. */
export function finishImport({ db, clientId, run, clock }: ImportJob, error: string | undefined): Promise<void> {
  return db.unitOfWork(clientId, async (uow) => {
    if (!(await lockImport(uow, run))) throw new LostRun();
    await endImport(uow, run.importId, { status: error === undefined ? 'DONE' : 'FAILED', error, now: clock() });
  });
}

async function loadFile(job: ImportJob): Promise<void> {
  const { source } = job;
  if (source.type === 'ACCOUNTS') {
    const { attributes } = await job.db.unitOfWork(job.clientId, declaredAttributes);
    return loadAs(job, accountFile(attributes.map(({ name }) => name)));
  }
  const { product, items } = await job.db.unitOfWork(job.clientId, async (uow) => {
    const found = await productInMode(uow, source.productId ?? '', 'CODES');
    return { product: found, items: (await itemsOf(uow, [found.id])).get(found.id) ?? [] };
  });
  const standardItemId = source.itemId ?? items[0]?.id;
  if (standardItemId === undefined) throw new Error(`Product ${product.id} has no item.`);
  return loadAs(job, codeFile(product, items, standardItemId, job.onDelivered));
}

async function loadAs<Item>(job: ImportJob, kind: FileKind<Item>): Promise<void> {
  const { db, clientId, source, run, leaseMs, lockMs, clock } = job;
  const heartbeat = heartbeatOf(job);
  const file = await openFile(db, clientId, source.id, kind.columns);
  const checked = await checkFile(file, heartbeat);
  await db.unitOfWork(clientId, (uow) => saveTotal(uow, run, checked.rowsTotal));
  await applyFile({ file, checked, kind, source, run, leaseMs, clock, heartbeat, db: withLockTimeout(db, lockMs) });
}

/** Renews the lease as often as necessary, and throws when the work must stop. */
function heartbeatOf({ db, clientId, run, leaseMs, signal }: ImportJob): () => Promise<void> {
  let renewed = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - renewed < leaseMs / 3) return;
    renewed = performance.now();
    if (!(await db.unitOfWork(clientId, (uow) => renewLease(uow, run, leaseMs)))) throw new LostRun();
  };
}
