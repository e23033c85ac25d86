import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/by-keys.ts';
import { ARRIVED, isTooFarAhead } from '../../persistence/moments.ts';
import { isFree, leaseEnd } from '../../persistence/polling/lease.ts';
import type { CsvImport, RowCounts } from '../csv-import.ts';
import type { CsvPlace } from '../files/csv/csv-header.ts';
import { IMPORT_COLUMNS, importFromRow, type ImportRow } from '../imports.queries.ts';

/** Milliseconds for which a lease, or the pause after a failure, keeps others away at most. */
export const LONGEST_LEASE_MS = 60_000;

/** One process at work on one import, from its claim until it lets go or somebody else takes over. */
export type Run = { readonly importId: string; readonly runner: string };

/** Clients with an import that nobody works on, in a system unit of work. */
export async function clientsWithImports(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>(
    `select distinct client_id from csv_import where ${CLAIMABLE} order by client_id`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The part of the condition that the partial index knows comes first. */
const CLAIMABLE = `finished_at is null and status in ('QUEUED', 'RUNNING') and ${isFree(LONGEST_LEASE_MS)}`;

/** An import that this run may work on, and how often others failed with it since its cursor last moved. */
export type ClaimedImport = { readonly source: CsvImport; readonly failures: number };

/**
 * Claims the client's oldest import that no worker has; undefined if there is none. A worker that releases an import
 * removes its name. So if an import still has a runner, that process has died, which counts as a failure, because the
 * file may have caused it.
 */
export async function claimImport(
  uow: UnitOfWork,
  runner: string,
  leaseMs: number,
): Promise<ClaimedImport | undefined> {
  const [row] = await uow.query<ImportRow & { failures: number }>(
    `update csv_import
        set status = 'RUNNING', runner = $2, lease_until = ${leaseEnd('$3')},
            failures = failures + (runner is not null)::int, started_at = least(started_at, ${ARRIVED})
      where client_id = $1 and id = (
        select id from csv_import where client_id = $1 and ${CLAIMABLE} order by id limit 1 for update skip locked)
     returning ${IMPORT_COLUMNS}, failures`,
    [uow.clientId, runner, leaseMs],
  );
  return row && { source: importFromRow(row), failures: row.failures };
}

const HELD = `client_id = $1 and id = $2 and runner = $3 and status = 'RUNNING'`;

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

/** Keeps others away for another while. False if somebody has cancelled the import or taken it over. */
export async function renewLease(uow: UnitOfWork, { importId, runner }: Run, leaseMs: number): Promise<boolean> {
  const rows = await uow.query(`update csv_import set lease_until = ${leaseEnd('$4')} where ${HELD} returning id`, [
    uow.clientId,
    importId,
    runner,
    leaseMs,
  ]);
  return rows.length > 0;
}

/** Lets another process go on: at once, or after `pauseMs` milliseconds. */
export async function releaseLease(uow: UnitOfWork, { importId, runner }: Run, pauseMs?: number): Promise<void> {
  await uow.query(`update csv_import set lease_until = ${leaseEnd('$4')}, runner = null where ${HELD}`, [
    uow.clientId,
    importId,
    runner,
    // No pause is no moment either.
    pauseMs ?? null,
  ]);
}

/** Notes that a held import waits for what is in use or away. Gives since when it does, and how many milliseconds that is. */
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

/** Notes how many rows the file has. */
export async function saveTotal(uow: UnitOfWork, { importId, runner }: Run, rowsTotal: number): Promise<void> {
  await uow.query(`update csv_import set rows_total = $4 where ${HELD}`, [uow.clientId, importId, runner, rowsTotal]);
}

/** Moves the cursor of a held import behind the rows that this transaction deals with. */
export async function moveCursor(
  uow: UnitOfWork,
  { importId, runner }: Run,
  { place, rows, leaseMs }: { readonly place: CsvPlace; readonly rows: RowCounts; readonly leaseMs: number },
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
      place.position,
      place.line,
      rows.created,
      rows.updated,
      rows.unchanged,
      rows.refused,
      leaseMs,
    ],
  );
}

/** Lets go of the import after a failure that nobody foresaw, and keeps everybody away until it may have healed. */
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

/** Imports that have ended and still hold pieces of their files. */
export async function importsToEmpty(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select i.id from csv_import i
      cross join ${lookUpByKey({ select: 'import_id', from: 'csv_import_chunk', key: { import_id: 'i.id' } })} c
      where i.client_id = $1 and i.finished_at is not null`,
    [uow.clientId],
  );
  return rows.map(({ id }) => id);
}
