/** The first characters of a formula, including the wide and small forms that some spreadsheets accept. */
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

/** A control character at the begin of a cell is dangerous, according to OWASP. */
const CONTROL = new RegExp(`^(?=${BEFORE}[\\t\\r])`, 'u');
const PROTECTED_CONTROL = new RegExp(`^'(?=${BEFORE}[\\t\\r])`, 'u');

/**
 * A value that a spreadsheet can open safely: an apostrophe precedes every possible begin of a formula. Existing apostrophes get another
 * one, so that {@link fromCell} restores the exact value.
 */
export function toCell(value: string): string {
  return value.replace(FORMULAS, "$1'").replace(CONTROL, "'");
}

/** The value before {@link toCell}. */
export function fromCell(cell: string): string {
  return cell.replace(PROTECTED_CONTROL, '').replace(PROTECTED_FORMULAS, '$1');
}
