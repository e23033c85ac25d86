import { partsOf, type Sentence } from '../kernel/sentence.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { csvImportRefusalTable } from './csv-import-refusal.entity.ts';

const COLUMNS = columnsOf(csvImportRefusalTable, ['position', 'line', 'key', 'reason', 'metadata']);

/** A refused row, and the reason. */
export type RefusedRow = Readonly<Omit<RowOf<typeof COLUMNS>, 'position'>> & { readonly position: number };

/** The location and key of a row. */
export type RowLocation = Pick<RefusedRow, 'position' | 'line' | 'key'>;

/** The most characters of a key or reason in a report. */
const SHOWN_MAX = 255;

/** The most characters of the template and values of a reason; a longer reason is stored in English alone. */
const METADATA_MAX = 2_000;

/** The refusal of a row, with its reason in English and in translatable form. */
export function refusalOf(location: RowLocation, reason: Sentence): RefusedRow {
  const text = String(reason);
  const parts = Object.entries(partsOf(reason)).map(([name, value]) => [name, wellFormed(value)] as const);
  const length = parts.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const metadata = parts.length === 0 || length > METADATA_MAX ? null : Object.fromEntries(parts);
  return { ...location, reason: storable(text), metadata };
}

/** The part of a text that the report shows, without characters that PostgreSQL cannot store. */
export function storable(text: string): string {
  return wellFormed(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text);
}

function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The most stored refusals of one import; with more, the operator will fix the file instead of reading on. */
export const REFUSALS_MAX = 100_000;

/** Records refusals in one statement. */
export async function insertRefusals(
  uow: UnitOfWork,
  importId: string,
  refusals: readonly RefusedRow[],
): Promise<void> {
  await insertRows(
    uow,
    refusals.map((refusal) => ({ ...refusal, importId })),
  );
}

const insertRows = insertInto(csvImportRefusalTable, { shared: ['importId'] });

/** The refusals after `position`, in the order of the file. */
export async function refusalsAfter(
  uow: UnitOfWork,
  importId: string,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<RefusedRow[]> {
  const rows = await uow.query<RowOf<typeof COLUMNS>>(
    `select ${COLUMNS} from csv_import_refusal
      where client_id = $1 and import_id = $2 and position > $3 order by position limit $4`,
    [uow.clientId, importId, position, limit],
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/** The most distinct reasons in a summary, and the most rows of each. */
export const REASONS_MAX = 50;
const NAMED_MAX = 5;

/** One of the first rows refused for a reason, and the number of rows with that reason. */
export type NamedRefusal = Omit<RefusedRow, 'position'> & { readonly form: string; readonly rows: number };

/** The reasons of refusals, the most frequent first, each with its first rows in the order of the file. */
export function namedRefusals(uow: UnitOfWork, importId: string): Promise<NamedRefusal[]> {
  return uow.query<NamedRefusal>(
    `select form, rows, line, key, reason, metadata from (
       select counted.*, dense_rank() over (order by rows desc, first, form) as rank from (
         select line, key, reason, metadata, form, position,
                count(*) over (partition by form)::int as rows,
                min(position) over (partition by form) as first,
                row_number() over (partition by form order by position) as ordinal
           from (select r.*, coalesce(metadata ->> 'message', reason) as form from csv_import_refusal r
                  where client_id = $1 and import_id = $2) every) counted
        where ordinal <= ${NAMED_MAX}) ranked
      where rank <= ${REASONS_MAX} order by rank, position`,
    [uow.clientId, importId],
  );
}

/** Deletes at most `limit` refusals of imports that ended before `olderThan`. Returns their number. */
export async function deleteOldRefusals(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  const rows = await uow.query(
    `delete from csv_import_refusal r
      using (
        select old.row_ctid from csv_import i
         cross join ${lookUpByKey({
           select: 'ctid as row_ctid',
           from: 'csv_import_refusal',
           key: { import_id: 'i.id' },
           many: true,
         })} old
         where i.client_id = $1 and i.finished_at < $2 limit $3) old
      where r.client_id = $1 and r.ctid = old.row_ctid
     returning 1`,
    [uow.clientId, olderThan, limit],
  );
  return rows.length;
}
