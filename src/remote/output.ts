import { styleText } from 'node:util';
import type { JsonValue } from '@bufbuild/protobuf';

/** The forms of output. */
export type Output = { readonly output?: string | undefined };

/** Prints an answer: as JSON, as YAML, or as a table for people. */
export async function print({ output = 'table' }: Output, answer: JsonValue, table: () => string): Promise<void> {
  console.log(await textOf(output, answer, table));
}

async function textOf(output: string, answer: JsonValue, table: () => string): Promise<string> {
  if (output === 'json') return JSON.stringify(answer, undefined, 2);
  if (output !== 'yaml') return table();
  const { stringify } = await import('yaml');
  return stringify(answer).trimEnd();
}

/** A table with a heading; the words "none" without rows. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'none';
  const cells = rows.map((row) => row.map(visible));
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...cells.map((row) => row[index] ?? '')].map(size)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + ' '.repeat(widths[index]! - size(cell))))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(columns.map((column) => column.toUpperCase()))), ...cells.map(line)].join('\n');
}

/** Pairs of a name and a value, one a line; those without a value are left out. */
export function listOf(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  const present = pairs.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${styled('bold', name.padEnd(width))}  ${visible(value!)}`).join('\n');
}

/** Text in a style, on a terminal only; NO_COLOR switches it off. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText(style, text) : text;
}

/** Text of the service without characters that a terminal would obey, and in one line. */
export function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not reach a terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) =>
    /\s/.test(character) ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The characters of a text, as a terminal counts most of them. */
function size(text: string): number {
  return [...text].length;
}
