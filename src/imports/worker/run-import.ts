import { declaredAttributes } from '../../clients/account-attributes.ts';
import { requireBackfillDays } from '../../clients/backfill-days.ts';
import { applyEvents } from '../events/apply-events.ts';
import { eventFile } from '../events/event-file.ts';
import { type EventReversal, reverseEvents } from '../events/reverse-events.ts';
import { markStaged } from '../events/staged-events.queries.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { withLockTimeout } from '../../persistence/connections/lock-timeout.ts';
import { itemsOf, productInMode } from '../../rewards/products/products.queries.ts';
import { accountFile } from '../files/account-file.ts';
import { applyFile, LostRun } from './apply-file.ts';
import { checkFile } from '../files/check-file.ts';
import { codeFile } from '../files/code-file.ts';
import { CsvFault } from '../files/csv/csv-fault.ts';
import type { FileKind } from '../files/file-kind.ts';
import { statisticFile } from '../files/statistic-file.ts';
import { openFile } from '../files/file-rows.ts';
import { endImport, requireImport } from '../imports.queries.ts';
import type { ImportJob } from './import-job.ts';
import { lockImport, renewLease, saveTotal } from './jobs.queries.ts';

/**
 * Checks a file, applies it from its cursor on, and ends the import: DONE, or FAILED for a faulty file. An import that is REVERSING is taken
 * back instead.
 * @throws LostRun, the signal's reason, and unexpected errors; the import then keeps its state
 */
export async function runImport(job: ImportJob): Promise<void> {
  try {
    if (job.source.status === 'REVERSING') await reverseEvents(reversalOf(job));
    else await loadFile(job);
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
export function finishImport(
  { db, clientId, run, clock, source }: ImportJob,
  error: string | undefined,
): Promise<void> {
  return db.unitOfWork(clientId, async (uow) => {
    if (!(await lockImport(uow, run))) throw new LostRun();
    const status = error !== undefined ? 'FAILED' : source.status === 'REVERSING' ? 'REVERSED' : 'DONE';
    await endImport(uow, run.importId, { status, error, now: clock() });
  });
}

/** Takes the events of an import back. */
function reversalOf(job: ImportJob): EventReversal {
  return { job, db: withLockTimeout(job.db, job.lockMs), catalogs: job.catalogs, heartbeat: heartbeatOf(job) };
}

/** Stages the file of events unless that is done, and applies the events. */
async function loadEvents(job: ImportJob): Promise<void> {
  const { db, clientId, source, catalogs, journal } = job;
  const { daysMax, catalog } = await db.unitOfWork(clientId, async (uow) => {
    return { daysMax: await requireBackfillDays(uow), catalog: await catalogs(uow) };
  });
  if (!source.isStaged) {
    await loadAs(job, eventFile(catalog, daysMax, job.clock()));
    await db.unitOfWork(clientId, (uow) => markStaged(uow, job.run));
  }
  const refused = await db.unitOfWork(clientId, async (uow) => (await requireImport(uow, source.id)).rows.refused);
  await applyEvents({
    job: { ...job, source: { ...source, rows: { ...source.rows, refused } } },
    db: withLockTimeout(db, job.lockMs),
    options: source.events!,
    daysMax,
    catalogs,
    journal,
    heartbeat: heartbeatOf(job),
  });
}

async function loadFile(job: ImportJob): Promise<void> {
  const { source } = job;
  if (source.type === 'EVENTS') return loadEvents(job);
  if (source.type === 'STATISTICS') return loadAs(job, statisticFile);
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
