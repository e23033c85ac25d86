/**
 * A value as a spreadsheet may open it: one that it would take for a formula, and run, gets an apostrophe in front. So does
 * one that looks like that already, so that {@link fromCell} gives back exactly what was written.
 */
export function toCell(value: string): string {
  return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** A value as it was before {@link toCell}. */
export function fromCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
