/** Signs with which a formula begins, also in their wide and small forms, which some spreadsheets take for the usual ones. */
const SIGNS = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';

/**
 * Characters that spreadsheets ignore before a formula, except line ends and tabs; and the apostrophes that exports
 * write.
 */
const BEFORE = `(?:(?![\\t\\r\\n])[\\s"'\\p{Cc}\\p{Cf}])*`;

/**
 * Positions where a spreadsheet may begin a cell if it uses semicolons or tabs as separators, as in many countries:
 * then our quotes do not protect separators and line ends.
 */
const BEGINNING = '^|[;\\t\\r\\n]';

const FORMULAS = new RegExp(`(${BEGINNING})(?=${BEFORE}${SIGNS})`, 'gu');
const PROTECTED_FORMULAS = new RegExp(`(${BEGINNING})'(?=${BEFORE}${SIGNS})`, 'gu');

/** A cell that begins with these is dangerous, according to OWASP. */
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
