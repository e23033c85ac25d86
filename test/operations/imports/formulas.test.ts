import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvText } from '../../../src/imports/files/csv/csv-text.ts';
import { fromCell, toCell } from '../../../src/imports/files/csv/formula.ts';

/** The characters that begin a formula in spreadsheets, and those that they skip before it. */
const FORMULA = /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u;

const DANGERS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  'a;=cmd()',
  'a;b; =cmd()',
  'a;"=cmd()"',
  'a\n=cmd()',
  'a\t=cmd()',
  ' =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '"=1"',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ';=1',
  ";'=1",
];

/** The cells that a spreadsheet reads from a file. With another separator our quotes are in the middle of cells, and do not quote. */
function cellsOf(text: string, delimiter: string): string[] {
  const quote = delimiter === ',' ? '"' : false;
  const options = { delimiter, quote, relax_column_count: true, bom: true } as const;
  return parse(text, options).flat();
}

const texts = fc
  .array(
    fc.constantFrom(
      'a',
      'B',
      ' ',
      ';',
      ',',
      '"',
      "'",
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＠',
      '\t',
      '\r',
      '\n',
      '\u200b',
      '\ufeff',
    ),
    {
      maxLength: 12,
    },
  )
  .map((letters) => letters.join(''));

describe('an exported cell', () => {
  test.each(DANGERS)('%j is no formula, whichever separator opens the file', (value) => {
    for (const row of [[value], ['id', value], ['id', value, 'x']]) {
      const text = csvText([row]);
      for (const delimiter of [',', ';', '\t']) {
        expect(cellsOf(text, delimiter).filter((cell) => FORMULA.test(cell))).toEqual([]);
      }
    }
  });

  test('of any text is no formula, and is read back as it was', () => {
    fc.assert(
      fc.property(texts, (value) => {
        for (const delimiter of [',', ';', '\t']) {
          expect(cellsOf(csvText([['id', value]]), delimiter).filter((cell) => FORMULA.test(cell))).toEqual([]);
        }
        expect(fromCell(toCell(value))).toBe(value);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each(['Ada', "O'Hara", 'a-b', 'a+b@example.com', 'x; y', '1 = 1', "'quoted'", ''])(
    '%j stays as it is',
    (value) => {
      expect(toCell(value)).toBe(value);
    },
  );

  test.each([
    ["'=1+1", '=1+1'],
    ["''=1+1", "'=1+1"],
    ["'\tx", '\tx'],
    ['x;=1', 'x;=1'],
  ])('%j of an earlier release is read as %j', (cell, value) => {
    expect(fromCell(cell)).toBe(value);
  });
});
