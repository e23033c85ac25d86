import type { Precision, ReadableCell } from './readable-cells.ts';
import { csvLines } from './csv-of-messages.ts';

/** Rows as a table shows them, below the titles of its columns. */
export type Sheet = { readonly titles: readonly string[]; readonly rows: readonly (readonly ReadableCell[])[] };

/** How spreadsheets show moments: in the order that sorts, whatever the language. */
const FORMATS: Record<Precision, string> = {
  day: 'yyyy-mm-dd',
  moment: 'yyyy-mm-dd hh:mm',
  second: 'yyyy-mm-dd hh:mm:ss',
};

/** Letters: the bounds of a column's width. */
const WIDTH = { least: 8, most: 60 };

/** Rows that the width of a column is measured on. */
const MEASURED = 200;

/** The sheet as an XLSX file: numbers and moments are such, texts are never formulas, the titles stay on the screen. */
export async function xlsxOf({ titles, rows }: Sheet): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const head = titles.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row) =>
    row.map((cell) => {
      if (typeof cell === 'number') return { value: cell, type: Number };
      if (typeof cell === 'string') return cell === '' ? null : { value: cell, type: String };
      return { value: cell.digits, type: Date, format: FORMATS[cell.precision] };
    }),
  );
  const columns = titles.map((title, column) => {
    const longest = Math.max(title.length, ...rows.slice(0, MEASURED).map((row) => textOf(row[column] ?? '').length));
    return { width: Math.min(Math.max(longest + 2, WIDTH.least), WIDTH.most) };
  });
  return writeXlsxFile([head, ...body], { columns, stickyRowsCount: 1 }).toBlob();
}

/** The sheet as a CSV file: numbers without separators of thousands, moments as in the XLSX file. */
export function csvOf({ titles, rows }: Sheet): Blob {
  return csvBlob(
    csvLines([titles, ...rows.map((row) => row.map((cell) => (typeof cell === 'object' ? textOf(cell) : cell)))]),
  );
}

/** A CSV file of its text. */
export function csvBlob(text: string): Blob {
  return new Blob([text], { type: 'text/csv;charset=utf-8' });
}

function textOf(cell: ReadableCell): string {
  if (typeof cell !== 'object') return String(cell);
  const digits = cell.digits.toISOString().replace('T', ' ');
  return digits.slice(0, FORMATS[cell.precision].length);
}
