import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { pagedList } from '../persistence/lists/list-page.ts';
import { csvImportTable } from './csv-import.entity.ts';
import { type CsvImport, IMPORT_STATUSES, IMPORT_TYPES, type ImportStatus } from './csv-import.ts';

/** The columns of a {@link CsvImport}. */
export const IMPORT_COLUMNS = columnsOf(csvImportTable, [
  'id',
  'type',
  'status',
  'fileName',
  'audienceId',
  'productId',
  'itemId',
  'rewards',
  'webhooks',
  'dryRun',
  'isStaged',
  'summary',
  'rowsReversed',
  'reversalReason',
  'bytes',
  'position',
  'line',
  'rowsTotal',
  'rowsCreated',
  'rowsUpdated',
  'rowsUnchanged',
  'rowsRefused',
  'error',
  'createdAt',
  'startedAt',
  'waitingSince',
  'finishedAt',
]);

/** A row of {@link IMPORT_COLUMNS}. */
export type ImportRow = RowOf<typeof IMPORT_COLUMNS>;

/** An import from its row. */
export function importFromRow(row: ImportRow): CsvImport {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    fileName: row.file_name,
    audienceId: row.audience_id ?? undefined,
    productId: row.product_id ?? undefined,
    itemId: row.item_id ?? undefined,
    events: row.rewards === null ? undefined : { rewards: row.rewards, webhooks: row.webhooks!, dryRun: row.dry_run! },
    isStaged: row.is_staged,
    summary: row.summary ?? undefined,
    rowsReversed: row.rows_reversed,
    reversalReason: row.reversal_reason ?? undefined,
    bytes: Number(row.bytes),
    position: Number(row.position),
    line: row.line,
    rowsTotal: row.rows_total ?? undefined,
    rows: {
      created: row.rows_created,
      updated: row.rows_updated,
      unchanged: row.rows_unchanged,
      refused: row.rows_refused,
    },
    error: row.error ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    waitingSince: row.waiting_since ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  };
}

/** The fields of an import before its upload. */
export type NewImport = Pick<CsvImport, 'id' | 'type' | 'fileName' | 'audienceId' | 'productId' | 'itemId' | 'events'>;

/**
 * The number of the client's open imports, and the stored bytes of their files.
 * @param isHeld takes a lock on the client's imports until the transaction ends
 */
export async function openImports(uow: UnitOfWork, { isHeld = false } = {}): Promise<{ count: number; bytes: number }> {
  if (isHeld) await uow.query(`select pg_advisory_xact_lock(hashtextextended($1 || ' imports', 0))`, [uow.clientId]);
  const [row] = await uow.query<{ count: number; bytes: number }>(
    `select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from csv_import
      where client_id = $1 and finished_at is null`,
    [uow.clientId],
  );
  return row!;
}

/** Creates an import that waits for its file. */
export async function insertImport(uow: UnitOfWork, created: NewImport, now: Date): Promise<CsvImport> {
  const { id, type, fileName, audienceId, productId, itemId, events } = created;
  const [row] = await uow.query<ImportRow>(
    `insert into csv_import
       (client_id, id, type, status, file_name, audience_id, product_id, item_id, uploaded_at, created_at, rewards, webhooks, dry_run)
     values ($1, $2, $3, 'UPLOADING', $4, $5, $6, $7, $8, $8, $9, $10, $11) returning ${IMPORT_COLUMNS}`,
    [
      ...[uow.clientId, id, type, fileName, audienceId, productId, itemId, now],
      ...[events?.rewards, events?.webhooks, events?.dryRun],
    ],
  );
  return importFromRow(row!);
}

/**
 * One import; `forChange` locks it against its worker and its uploader until the transaction ends.
 * @throws DomainError `IMPORT_NOT_FOUND`
 */
export async function requireImport(uow: UnitOfWork, id: string, { forChange = false } = {}): Promise<CsvImport> {
  const [row] = await uow.query<ImportRow>(
    `select ${IMPORT_COLUMNS} from csv_import where client_id = $1 and id = $2 ${forChange ? 'for no key update' : ''}`,
    [uow.clientId, id],
  );
  if (row === undefined) throw new DomainError('IMPORT_NOT_FOUND', sentence`There is no import with the id ${id}.`);
  return importFromRow(row);
}

/** Ends a locked import for good. Its pieces are deleted later, because there may be thousands. */
export async function endImport(
  uow: UnitOfWork,
  id: string,
  { status, error, now }: { readonly status: ImportStatus; readonly error?: string | undefined; readonly now: Date },
): Promise<CsvImport> {
  const [row] = await uow.query<ImportRow>(
    `update csv_import set status = $3, error = $4, finished_at = $5, waiting_since = null,
            runner = null, lease_until = null, upload = null
      where client_id = $1 and id = $2 returning ${IMPORT_COLUMNS}`,
    [uow.clientId, id, status, error, now],
  );
  return importFromRow(row!);
}

/** Imports by page, the latest first. */
export const importPage = pagedList<ImportRow>({
  from: 'csv_import',
  columns: IMPORT_COLUMNS,
  orderBy: ['created_at', 'id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    type: { kind: 'enum', column: 'type', values: IMPORT_TYPES },
    status: {
      kind: 'enum',
      column: 'status',
      values: IMPORT_STATUSES,
    },
    fileName: { kind: 'text', column: 'file_name' },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { createdAt: { column: 'created_at' }, fileName: { column: 'file_name' } },
  searched: { ids: ['id'], parts: ['file_name'] },
});
