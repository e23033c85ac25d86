import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { BYTE_ORDER_MARK, type CellValue, csvText } from '../files/csv/csv-text.ts';

/** Rows per page, which bounds the memory and the duration of a transaction. */
export const PAGE = 2_000;

/** A list to export. */
export type ExportedList<Row> = {
  readonly columns: readonly string[];
  /** The rows after one row, {@link PAGE} of them; fewer at the end. Throws before the first page if the list does not exist. */
  readonly pageAfter: (
    uow: UnitOfWork,
    last: Row | undefined,
  ) => Promise<{ rows: readonly Row[]; cells: CellValue[][] }>;
};

/** A list as CSV, page by page, each in its own transaction, so that a long export blocks no other work. */
export async function* exportedPages<Row>(
  db: Database,
  clientId: string,
  { columns, pageAfter }: ExportedList<Row>,
): AsyncIterable<{ data: Uint8Array }> {
  let head = BYTE_ORDER_MARK + csvText([columns]);
  for (let last: Row | undefined; ;) {
    const { rows, cells } = await db.unitOfWork(clientId, (uow) => pageAfter(uow, last));
    yield { data: Buffer.from(head + csvText(cells)) };
    head = '';
    last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
  }
}
