import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { ARRIVED, isTooFarAhead } from '../../persistence/moments.ts';
import { isFree, leaseEnd } from '../../persistence/polling/lease.ts';
import type { CsvImport, RowCounts } from '../csv-import.ts';
import type { CsvLocation } from '../files/csv/csv-header.ts';
import { IMPORT_COLUMNS, importFromRow, type ImportRow } from '../imports.queries.ts';

/** The most milliseconds of a lease, or of the pause after a failure. */
export const LONGEST_LEASE_MS = 60_000;

/** One worker's run on one import, from its claim until its release or a takeover. */
export type Run = { readonly importId: string; readonly runner: string };

/** The clients with an import without a worker, in a system unit of work. */
export async function clientsWithImports(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct client_id from csv_import where ${CLAIMABLE} order by client_id`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The first part of the condition matches the partial index. */
const CLAIMABLE = `finished_at is null and status in ('QUEUED', 'RUNNING', 'REVERSING') and ${isFree(LONGEST_LEASE_MS)}`;

/** An import claimed by this run, and the number of failures since its cursor last moved. */
export type ClaimedImport = { readonly source: CsvImport; readonly failures: number };

/**
 * Claims the client's oldest import without a worker; undefined if there is none. A worker that releases an import removes its name. So a
 * claimable import with a runner belonged to a dead process. That counts as a failure, because the file may have caused it.
 */
export async function claimImport(
  uow: UnitOfWork,
  runner: string,
  leaseMs: number,
): Promise<ClaimedImport | undefined> {
  const [row] = await uow.query<ImportRow & { failures: number }>(
    `update csv_import
        set status = case when status = 'REVERSING' then status else 'RUNNING' end, runner = $2, lease_until = ${leaseEnd('$3')},
            failures = failures + (runner is not null)::int, started_at = least(started_at, ${ARRIVED})
      where client_id = $1 and id = (
        select id from csv_import where client_id = $1 and ${CLAIMABLE} order by id limit 1 for update skip locked)
     returning ${IMPORT_COLUMNS}, failures`,
    [uow.clientId, runner, leaseMs],
  );
  return row && { source: importFromRow(row), failures: row.failures };
}

/** SQL of the import on which a run works: `$2` and `$3` are those of the run. */
export const HELD = `client_id = $1 and id = $2 and runner = $3 and status in ('RUNNING', 'REVERSING')`;

/**
 * Locks the import until the transaction ends, so that it cannot be cancelled or taken over. False if it already was:
 * then this transaction must not be committed.
 */
export async function lockImport(uow: UnitOfWork, { importId, runner }: Run): Promise<boolean> {
  const rows = await uow.query(`select id from csv_import where ${HELD} for no key update`, [
    uow.clientId,
    importId,
    runner,
  ]);
  return rows.length > 0;
}

/** Extends the lease. False if the import was cancelled or taken over. */
export async function renewLease(uow: UnitOfWork, { importId, runner }: Run, leaseMs: number): Promise<boolean> {
  const rows = await uow.query(`update csv_import set lease_until = ${leaseEnd('$4')} where ${HELD} returning id`, [
    uow.clientId,
    importId,
    runner,
    leaseMs,
  ]);
  return rows.length > 0;
}

/** Releases the import: at once, or after `pauseMs` milliseconds. */
export async function releaseLease(uow: UnitOfWork, { importId, runner }: Run, pauseMs?: number): Promise<void> {
  await uow.query(`update csv_import set lease_until = ${leaseEnd('$4')}, runner = null where ${HELD}`, [
    uow.clientId,
    importId,
    runner,
    // Without a pause the time is null.
    pauseMs ?? null,
  ]);
}

/** Stores that a locked import waits for a locked row or the database. Returns the start and the milliseconds of the wait. */
export async function noteWaiting(uow: UnitOfWork, { importId, runner }: Run): Promise<{ at: Date; ms: number }> {
  const values = [uow.clientId, importId, runner];
  const [, rows] = await Promise.all([
    uow.query(`update csv_import set waiting_since = least(waiting_since, ${ARRIVED}) where ${HELD}`, values),
    uow.query<{ at: Date; ms: number }>(
      `select waiting_since as at,
              (1000 * extract(epoch from clock_timestamp() - waiting_since))::double precision as ms
         from csv_import where ${HELD}`,
      values,
    ),
  ]);
  return rows[0]!;
}

/** Stores the number of rows of the file. */
export async function saveTotal(uow: UnitOfWork, { importId, runner }: Run, rowsTotal: number): Promise<void> {
  await uow.query(`update csv_import set rows_total = $4 where ${HELD}`, [uow.clientId, importId, runner, rowsTotal]);
}

/** Moves the cursor of a locked import behind the rows of this transaction. */
export async function moveCursor(
  uow: UnitOfWork,
  { importId, runner }: Run,
  { location, rows, leaseMs }: { readonly location: CsvLocation; readonly rows: RowCounts; readonly leaseMs: number },
): Promise<void> {
  await uow.query(
    `update csv_import
        set position = $4, line = $5, rows_created = rows_created + $6, rows_updated = rows_updated + $7,
            rows_unchanged = rows_unchanged + $8, rows_refused = rows_refused + $9,
            failures = 0, waiting_since = null, lease_until = ${leaseEnd('$10')}
      where ${HELD}`,
    [
      uow.clientId,
      importId,
      runner,
      location.position,
      location.line,
      rows.created,
      rows.updated,
      rows.unchanged,
      rows.refused,
      leaseMs,
    ],
  );
}

/** Releases the import after an unexpected failure; other workers wait `retryMs` milliseconds. */
export async function retryLater(uow: UnitOfWork, { importId, runner }: Run, retryMs: number): Promise<void> {
  await uow.query(
    `update csv_import set failures = failures + 1, runner = null, lease_until = ${leaseEnd('$4')} where ${HELD}`,
    [uow.clientId, importId, runner, retryMs],
  );
}

/**
 * Fails uploads that were not continued. Uploads with a time in the future count as continued now.
 * @returns their number
 */
export async function failAbandonedUploads(uow: UnitOfWork, olderThan: Date, now: Date): Promise<number> {
  await uow.query(
    `update csv_import set uploaded_at = $2
      where client_id = $1 and finished_at is null and status = 'UPLOADING'
        and ${isTooFarAhead('uploaded_at', 0, '$2::timestamptz')}`,
    [uow.clientId, now],
  );
  const rows = await uow.query(
    `update csv_import set status = 'FAILED', finished_at = $3, upload = null,
            error = $4
      where client_id = $1 and finished_at is null and status = 'UPLOADING' and uploaded_at < $2 returning id`,
    [uow.clientId, olderThan, now, String(sentence`The upload was not completed within a day. Nothing was loaded.`)],
  );
  return rows.length;
}

/** The ended imports that still have pieces of their files. */
export async function importsToEmpty(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select i.id from csv_import i
      cross join ${lookUpByKey({ select: 'import_id', from: 'csv_import_chunk', key: { import_id: 'i.id' } })} c
      where i.client_id = $1 and i.finished_at is not null`,
    [uow.clientId],
  );
  return rows.map(({ id }) => id);
}
