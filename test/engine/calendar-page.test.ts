import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calendarTables } from './calendar-tables.ts';

const file = new URL('../../docs/calendar.md', import.meta.url);
const tables = Object.entries(calendarTables());

// LAUREL_WRITE_DOCS=1 writes the tables into the page; the text around them is written by hand.
if (process.env['LAUREL_WRITE_DOCS'] === '1') writeFileSync(file, withTables(readFileSync(file, 'utf8')));
const page = readFileSync(file, 'utf8');

test.each(tables)(
  'the table %s of docs/calendar.md is what the engine comes to; LAUREL_WRITE_DOCS=1 puts it there',
  (name, rows) => {
    expect(tableIn(page, name)).toBe(markdown(rows));
  },
);

test('docs/calendar.md has each of these tables once, in this order, and no other', () => {
  const named = [...page.matchAll(/^<!-- table: (.*) -->$/gm)].map(([, name]) => name);
  expect(named).toEqual(tables.map(([name]) => name));
  const heads = page.match(/^\| -/gm) ?? [];
  expect(heads).toHaveLength(tables.length);
});

/** The text between the comments of a table. */
function tableIn(text: string, name: string): string | undefined {
  return tablePattern(name).exec(text)?.[2];
}

function withTables(text: string): string {
  return tables.reduce(
    (rest, [name, rows]) =>
      rest.replace(tablePattern(name), (_, begin, _old, end) => `${begin}${markdown(rows)}${end}`),
    text,
  );
}

function tablePattern(name: string): RegExp {
  return new RegExp(`(<!-- table: ${RegExp.escape(name)} -->\\n\\n)(.*?)(\\n*<!-- /table -->)`, 's');
}

/** A table as the formatter prints it: with columns of equal width. */
function markdown(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = line(
    head.map(() => ''),
    '-',
  );
  return [line(head), rule, ...body.map((row) => line(row))].join('\n');
}
