import { partsOf, type Sentence } from '../kernel/sentence.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { lookUpByKey } from '../persistence/by-keys.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { csvImportRefusalTable } from './csv-import-refusal.entity.ts';

const COLUMNS = columnsOf(csvImportRefusalTable, ['position', 'line', 'key', 'reason', 'metadata']);

/** A row that had no effect, and why. */
export type Refusal = Readonly<Omit<RowOf<typeof COLUMNS>, 'position'>> & { readonly position: number };

/** Which row it is. */
export type RefusedPlace = Pick<Refusal, 'position' | 'line' | 'key'>;

/** Characters of a key or reason that the report shows. */
const SHOWN_MAX = 255;

/** Characters of the form and the values of a reason; a longer one is said in English alone. */
const METADATA_MAX = 2_000;

/** The refusal of a row, its reason in English and as it can be put into other languages. */
export function refusalOf(place: RefusedPlace, reason: Sentence): Refusal {
  const text = String(reason);
  const parts = Object.entries(partsOf(reason)).map(([name, value]) => [name, wellFormed(value)] as const);
  const length = parts.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const metadata = parts.length === 0 || length > METADATA_MAX ? null : Object.fromEntries(parts);
  return { ...place, reason: storable(text), metadata };
}

/** As much of a text as the report shows, without what PostgreSQL cannot hold. */
export function storable(text: string): string {
  return wellFormed(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text);
}

function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Refusals that are kept of one import: anyone who has more does not read on, and fixes the file instead. */
export const REFUSALS_MAX = 100_000;

/** Records refusals in one statement. */
export async function insertRefusals(uow: UnitOfWork, importId: string, refusals: readonly Refusal[]): Promise<void> {
  await insertRows(
    uow,
    refusals.map((refusal) => ({ ...refusal, importId })),
  );
}

const insertRows = insertInto(csvImportRefusalTable, { shared: ['importId'] });

/** Refusals in the order of the file, from behind `position` on. */
export async function refusalsAfter(
  uow: UnitOfWork,
  importId: string,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<Refusal[]> {
  const rows = await uow.query<RowOf<typeof COLUMNS>>(
    `select ${COLUMNS} from csv_import_refusal
      where client_id = $1 and import_id = $2 and position > $3 order by position limit $4`,
    [uow.clientId, importId, position, limit],
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/** Reasons that are said apart at most, and rows that are named of each. */
export const REASONS_MAX = 50;
const NAMED_MAX = 5;

/** One of the first rows that were refused for a reason, and how many there are of that reason. */
export type NamedRefusal = Omit<Refusal, 'position'> & { readonly form: string; readonly rows: number };

/** The reasons why rows were refused, the most frequent first, by the first rows of each in the order of the file. */
export function namedRefusals(uow: UnitOfWork, importId: string): Promise<NamedRefusal[]> {
  return uow.query<NamedRefusal>(
    `select form, rows, line, key, reason, metadata from (
       select said.*, dense_rank() over (order by rows desc, first, form) as rank from (
         select line, key, reason, metadata, form, position,
                count(*) over (partition by form)::int as rows,
                min(position) over (partition by form) as first,
                row_number() over (partition by form order by position) as place
           from (select r.*, coalesce(metadata ->> 'message', reason) as form from csv_import_refusal r
                  where client_id = $1 and import_id = $2) every) said
        where place <= ${NAMED_MAX}) ranked
      where rank <= ${REASONS_MAX} order by rank, position`,
    [uow.clientId, importId],
  );
}

/** Deletes refusals of imports that ended before, and gives how many there were; `limit` at most. */
export async function deleteOldRefusals(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  const rows = await uow.query(
    `delete from csv_import_refusal r
      using (
        select old.place from csv_import i
         cross join ${lookUpByKey({
           select: 'ctid as place',
           from: 'csv_import_refusal',
           key: { import_id: 'i.id' },
           many: true,
         })} old
         where i.client_id = $1 and i.finished_at < $2 limit $3) old
      where r.client_id = $1 and r.ctid = old.place
     returning 1`,
    [uow.clientId, olderThan, limit],
  );
  return rows.length;
}
