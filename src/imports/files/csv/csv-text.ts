import { toCell } from './formula.ts';

/** The values that a cell may have; null is an empty cell. */
export type CellValue = string | number | Date | null;

/** Rows as CSV text: comma-separated, each line ended by CRLF, as RFC 4180 says. Only text can be a formula. */
export function csvText(rows: ReadonlyArray<readonly CellValue[]>): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** Tells spreadsheets that a file is UTF-8; they guess otherwise. */
export const BYTE_ORDER_MARK = '\uFEFF';

function cellText(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  const cell = toCell(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
