/** Signs with which a formula begins, also in their wide and small forms, which some spreadsheets take for the usual ones. */
const SIGNS = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';

/** What spreadsheets pass over before a formula, and the apostrophes that are written here: all but line ends and tabs. */
const BEFORE = `(?:(?![\\t\\r\\n])[\\s"'\\p{Cc}\\p{Cf}])*`;

/**
 * Where a cell may begin for a spreadsheet that takes semicolons or tabs for separators, as it does in many countries: then
 * the quotes around our cells do not hold them together, and neither do those around line ends.
 */
const BEGINNING = '^|[;\\t\\r\\n]';

const FORMULAS = new RegExp(`(${BEGINNING})(?=${BEFORE}${SIGNS})`, 'gu');
const PROTECTED_FORMULAS = new RegExp(`(${BEGINNING})'(?=${BEFORE}${SIGNS})`, 'gu');

/** A cell that begins with these is dangerous by itself, OWASP says. */
const CONTROL = new RegExp(`^(?=${BEFORE}[\\t\\r])`, 'u');
const PROTECTED_CONTROL = new RegExp(`^'(?=${BEFORE}[\\t\\r])`, 'u');

/**
 * A value as a spreadsheet may open it: wherever it would begin a formula, and run it, an apostrophe stands in front. So it
 * does where one stands already, so that {@link fromCell} gives back exactly what was written.
 */
export function toCell(value: string): string {
  return value.replace(FORMULAS, "$1'").replace(CONTROL, "'");
}

/** A value as it was before {@link toCell}. */
export function fromCell(cell: string): string {
  return cell.replace(PROTECTED_CONTROL, '').replace(PROTECTED_FORMULAS, '$1');
}
