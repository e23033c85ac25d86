import type { Database } from '../../persistence/database.ts';
import { csvHeader, type CsvHeader, type CsvLocation, HEADER_MAX, type KnownColumns } from './csv/csv-header.ts';
import { type CsvRow, csvRowReader } from './csv/csv-rows.ts';
import { fromCell } from './csv/formula.ts';
import { fileFrom } from '../staged-files.queries.ts';

/** A staged file with a known header. */
export type OpenFile = {
  readonly db: Database;
  readonly clientId: string;
  readonly importId: string;
  readonly header: CsvHeader;
  /** The columns with the key of a row. */
  readonly keyColumns: readonly string[];
};

/**
 * Reads the header of a staged file.
 * @throws CsvFault as {@link csvHeader} does
 */
export async function openFile(
  db: Database,
  clientId: string,
  importId: string,
  columns: KnownColumns,
): Promise<OpenFile> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const piece of fileFrom(db, clientId, importId, 0)) {
    parts.push(piece);
    length += piece.length;
    // One byte more than the longest header shows whether a header is too long or the file ends there.
    if (length > HEADER_MAX + 3) break;
  }
  const header = csvHeader(Buffer.concat(parts), columns);
  const { required, keyWith } = columns;
  return { db, clientId, importId, header, keyColumns: keyWith === undefined ? [required] : [required, keyWith] };
}

/**
 * The rows of a file from a location on, in groups of one piece of the file.
 * @throws CsvFault if rows cannot be separated any more
 */
export async function* rowsFrom(file: OpenFile, start: CsvLocation): AsyncIterable<CsvRow[]> {
  const reader = csvRowReader(file.header, start);
  for await (const piece of fileFrom(file.db, file.clientId, file.importId, start.position)) {
    yield await reader.write(piece);
  }
  yield await reader.end();
}

/** The cell of a row in a column, without the protection for spreadsheets; undefined without that column. */
export function cellOf({ header }: OpenFile, row: CsvRow, column: string): string | undefined {
  const index = header.columns.get(column);
  const cell = index === undefined ? undefined : row.cells[index];
  return cell === undefined || cell === '' ? undefined : fromCell(cell);
}

/** The key of a row; empty if it has none. */
export function keyOf(file: OpenFile, row: CsvRow): string {
  const [first, ...others] = file.keyColumns.map((column) => cellOf(file, row, column) ?? '');
  return others.length === 0 || first === '' ? first! : [first, ...others].join(' ');
}
