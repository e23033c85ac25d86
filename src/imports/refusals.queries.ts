import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { probe } from '../persistence/by-keys.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { csvImportRefusalTable } from './csv-import-refusal.entity.ts';

const COLUMNS = columnsOf(csvImportRefusalTable, ['position', 'line', 'key', 'reason']);

/** A row that had no effect, and why. */
export type Refusal = Readonly<Omit<RowOf<typeof COLUMNS>, 'position'>> & { readonly position: number };

/** Refusals that are kept of one import: anyone who has more does not read on, and fixes the file instead. */
export const REFUSALS_MAX = 100_000;

/** Records refusals in one statement. */
export async function insertRefusals(uow: UnitOfWork, importId: string, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await uow.query(
    `insert into csv_import_refusal (client_id, import_id, position, line, key, reason)
     select $1::uuid, $2::uuid, * from unnest($3::bigint[], $4::int[], $5::text[], $6::text[])`,
    [
      uow.clientId,
      importId,
      refusals.map(({ position }) => position),
      refusals.map(({ line }) => line),
      refusals.map(({ key }) => key),
      refusals.map(({ reason }) => reason),
    ],
  );
}

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

/** Deletes refusals of imports that ended before, and gives how many there were; `limit` at most. */
export async function deleteOldRefusals(uow: UnitOfWork, olderThan: Date, limit: number): Promise<number> {
  const rows = await uow.query(
    `delete from csv_import_refusal r
      using (
        select old.place from csv_import i
         cross join ${probe({
           ...{ select: 'ctid as place', from: 'csv_import_refusal', key: { import_id: 'i.id' }, many: true },
         })} old
         where i.client_id = $1 and i.finished_at < $2 limit $3) old
      where r.client_id = $1 and r.ctid = old.place
     returning 1`,
    [uow.clientId, olderThan, limit],
  );
  return rows.length;
}
