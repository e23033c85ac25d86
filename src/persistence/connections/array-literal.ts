/**
 * PostgreSQL's literal of an array parameter, of any element type; undefined where an element needs the driver's own
 * conversion. The driver escapes each text by two replacements and writes moments with seven paddings: a seventh of all that
 * an event of a batch allocates.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = '{';
  for (let index = 0; index < values.length; index += 1) {
    const element = elementOf(values[index]);
    if (element === undefined) return undefined;
    literal += index === 0 ? element : `,${element}`;
  }
  return `${literal}}`;
}

function elementOf(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'NULL';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  if (value instanceof Date) return momentOf(value);
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/** Years of four digits are the same in ISO 8601 and in PostgreSQL. */
function momentOf(moment: Date): string | undefined {
  const text = moment.getTime() >= YEAR_1 && moment.getTime() < YEAR_10000 ? moment.toISOString() : undefined;
  return text && `"${text}"`;
}

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00Z');
