import type { UnitOfWork } from '../../persistence/database.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import type { BackfillSummary } from '../../triggers/backfill/backfill-summary.ts';
import type { RowCounts } from '../csv-import.ts';
import { HELD, type Run } from '../worker/jobs.queries.ts';
import { leaseEnd } from '../../persistence/polling/lease.ts';
import { csvImportEntryTable } from './csv-import-entry.entity.ts';
import { csvImportEventTable } from './csv-import-event.entity.ts';

const COLUMNS = columnsOf(csvImportEventTable, ['subject', 'occurredAt', 'position', 'line', 'key', 'trigger']);

/** A staged row of a file of events. */
export type StagedEvent = Readonly<RowOf<typeof COLUMNS>>;

/** Stages rows of a file. */
export const insertStagedEvents = insertInto(csvImportEventTable, { shared: ['importId'] });

/** A place between staged rows: behind that row. */
export type StagedPlace = Pick<StagedEvent, 'subject' | 'occurred_at' | 'position'>;

/** The place before all rows; each subject has a first letter. */
export const BEFORE_ALL: StagedPlace = { subject: '', occurred_at: '0', position: '0' };

/** The first staged rows behind a place, account by account, in the order in which their events occurred. */
export function stagedEvents(
  uow: UnitOfWork,
  importId: string,
  { after, limit }: { readonly after: StagedPlace; readonly limit: number },
): Promise<StagedEvent[]> {
  return uow.query<StagedEvent>(
    `select ${COLUMNS} from csv_import_event
      where client_id = $1 and import_id = $2 and (subject, occurred_at, position) > ($3::text, $4::bigint, $5::bigint)
      order by subject, occurred_at, position limit $6`,
    [uow.clientId, importId, after.subject, after.occurred_at, after.position, limit],
  );
}

/** Deletes staged rows up to a place, that included. @param after a place before which there are none any more */
export async function deleteStagedEvents(
  uow: UnitOfWork,
  importId: string,
  { after, until }: { readonly after: StagedPlace; readonly until: StagedPlace },
): Promise<void> {
  await uow.query(
    `delete from csv_import_event
      where client_id = $1 and import_id = $2 and (subject, occurred_at, position) > ($3::text, $4::bigint, $5::bigint)
        and (subject, occurred_at, position) <= ($6::text, $7::bigint, $8::bigint)`,
    [
      ...[uow.clientId, importId, after.subject, after.occurred_at, after.position],
      ...[until.subject, until.occurred_at, until.position],
    ],
  );
}

/** Notes that the whole file is staged. */
export async function markStaged(uow: UnitOfWork, { importId, runner }: Run): Promise<void> {
  await uow.query(`update csv_import set is_staged = true where ${HELD}`, [uow.clientId, importId, runner]);
}

/** Adds the outcomes of applied rows to a locked import. */
export async function saveApplied(
  uow: UnitOfWork,
  { importId, runner }: Run,
  { rows, summary, leaseMs }: { readonly rows: RowCounts; readonly summary: BackfillSummary; readonly leaseMs: number },
): Promise<void> {
  await uow.query(
    `update csv_import
        set rows_created = rows_created + $4, rows_unchanged = rows_unchanged + $5, rows_refused = rows_refused + $6,
            summary = $7, failures = 0, waiting_since = null, lease_until = ${leaseEnd('$8')}
      where ${HELD}`,
    [
      ...[uow.clientId, importId, runner, rows.created, rows.unchanged, rows.refused],
      ...[JSON.stringify(summary), leaseMs],
    ],
  );
}

/** Records applied events, for a reversal. */
export const insertEntries = insertInto(csvImportEntryTable, { shared: ['importId'] });

const ENTRY_COLUMNS = columnsOf(csvImportEntryTable, ['position', 'line', 'entryId']);

/** An applied event. */
export type ImportedEntry = Readonly<RowOf<typeof ENTRY_COLUMNS>>;

/** The applied events that were not taken back, the last rows of the file first. @param before the position of the last one that was read */
export function lastEntries(
  uow: UnitOfWork,
  importId: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<ImportedEntry[]> {
  return uow.query<ImportedEntry>(
    `select ${ENTRY_COLUMNS} from csv_import_entry
      where client_id = $1 and import_id = $2 and position < $3 order by position desc limit $4`,
    [uow.clientId, importId, before, limit],
  );
}

/** Deletes applied events from a position on. @param before a position from which on there are none any more */
export async function deleteEntries(
  uow: UnitOfWork,
  importId: string,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<void> {
  await uow.query(
    `delete from csv_import_entry where client_id = $1 and import_id = $2 and position >= $3 and position < $4`,
    [uow.clientId, importId, from, before],
  );
}

/** Adds events that were taken back to a locked import. */
export async function saveReversed(
  uow: UnitOfWork,
  { importId, runner }: Run,
  { reversed, leaseMs }: { readonly reversed: number; readonly leaseMs: number },
): Promise<void> {
  await uow.query(
    `update csv_import set rows_reversed = rows_reversed + $4, failures = 0, waiting_since = null,
            lease_until = ${leaseEnd('$5')}
      where ${HELD}`,
    [uow.clientId, importId, runner, reversed, leaseMs],
  );
}

/** Begins the reversal of a locked import. */
export async function beginReversal(uow: UnitOfWork, id: string, reason: string | undefined): Promise<void> {
  await uow.query(
    `update csv_import set status = 'REVERSING', reversal_reason = $3, finished_at = null, error = null, failures = 0,
            runner = null, lease_until = null
      where client_id = $1 and id = $2`,
    [uow.clientId, id, reason],
  );
}

/** Deletes at most `limit` staged rows of imports that have ended. Returns their number. */
export function deleteLeftEvents(uow: UnitOfWork, limit: number): Promise<number> {
  return deleteOfImports(uow, { table: 'csv_import_event', where: 'i.finished_at is not null', limit });
}

/** Deletes at most `limit` applied events of imports that ended before `olderThan`. Returns their number. */
export function deleteOldEntries(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  return deleteOfImports(uow, { table: 'csv_import_entry', where: 'i.finished_at < $3', limit }, [olderThan]);
}

async function deleteOfImports(
  uow: UnitOfWork,
  { table, where, limit }: { readonly table: string; readonly where: string; readonly limit: number },
  values: readonly unknown[] = [],
): Promise<number> {
  const rows = await uow.query(
    `delete from ${table} d
      using (
        select old.row_ctid from csv_import i
         cross join ${lookUpByKey({ select: 'ctid as row_ctid', from: table, key: { import_id: 'i.id' }, many: true })} old
         where i.client_id = $1 and ${where} limit $2) old
      where d.client_id = $1 and d.ctid = old.row_ctid
     returning 1`,
    [uow.clientId, limit, ...values],
  );
  return rows.length;
}
