// docs/asvs.md describes how Laurel meets each requirement of OWASP ASVS 5.0.0, levels 1 and 2; this test checks its references.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The requirements of levels 1 and 2, by section, with the numbers of the standard. */
const SECTIONS = [
  '1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2',
  '2.1.1-3 2.2.1-3 2.3.1-4 2.4.1',
  '3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2',
  '4.1.1-3 4.2.1 4.3.1-2 4.4.1-4',
  '5.1.1 5.2.1-3 5.3.1-2 5.4.1-3',
  '6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4',
  '7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2',
  '8.1.1-2 8.2.1-3 8.3.1 8.4.1',
  '9.1.1-3 9.2.1-4',
  '10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3',
  '11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1',
  '12.1.1-3 12.2.1-2 12.3.1-4',
  '13.1.1 13.2.1-5 13.3.1-2 13.4.1-5',
  '14.1.1-2 14.2.1-4 14.3.1-3',
  '15.1.1-3 15.2.1-3 15.3.1-7',
  '16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3',
  '17.1.1 17.2.1-4 17.3.1-2',
];

const STATES = ['Met', 'Not met', 'Not applicable'];

type Row = { readonly number: string; readonly state: string; readonly words: string; readonly by: string };

const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line) => {
    const [, number = '', state = '', words = '', by = ''] = line.split('|').map((cell) => cell.trim());
    return { number, state, words, by };
  });

/** The references of a row: files, and titles of tests. */
function namedIn({ by }: Row): Array<{ readonly file: string; readonly title: string | undefined }> {
  return by
    .split('<br>')
    .filter((each) => each !== '')
    .map((each) => {
      const [, file = '', title] = /^`([^`]+)`(?: "(.+)")?$/.exec(each) ?? [];
      return { file, title };
    });
}

function numbers(section: string): string[] {
  const [chapter, part, which = ''] = section.split('.');
  return which.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, n) => `${chapter}.${part}.${from + n}`);
  });
}

test('every requirement of levels 1 and 2 stands on the page once, in order, and none besides', () => {
  expect(rows.map(({ number }) => number)).toEqual(SECTIONS.flatMap((line) => line.split(' ')).flatMap(numbers));
});

test('every row has a state and words, and the page counts them rightly', () => {
  expect(rows.filter(({ state, words }) => !STATES.includes(state) || words === '')).toEqual([]);
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(page).toContain(
    `${rows.length} requirements of its levels 1 and 2: ${count('Met')} met, ${count('Not met')} not met, ${count('Not applicable')} not applicable.`,
  );
});

test('whatever is met names a test, or a file in which it can be read', () => {
  expect(rows.filter((row) => row.state === 'Met' && namedIn(row).length === 0)).toEqual([]);
});

test.each(rows.filter(({ by }) => by !== ''))('what $number names is there', (row) => {
  for (const { file, title } of namedIn(row)) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(file.startsWith('test/'), `${file}: a test has a title, another file has none`).toBe(title !== undefined);
    if (title === undefined) continue;
    // The title as in the source: with `%s`, and quotes after a backslash.
    const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
    const isTitle = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
    expect(isTitle, `${file} has no test "${title}"`).toBe(true);
  }
});
