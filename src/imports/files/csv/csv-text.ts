import { toCell } from './formula.ts';

/** The possible values of a cell; null is an empty cell. */
export type CellValue = string | number | Date | null;

/** Rows as CSV text after RFC 4180: comma-separated, each line with CRLF. Only text can be a formula. */
export function csvText(rows: ReadonlyArray<readonly CellValue[]>): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** The mark by which spreadsheets recognise UTF-8; otherwise they guess. */
export const BYTE_ORDER_MARK = '\uFEFF';

function cellText(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  const cell = toCell(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
