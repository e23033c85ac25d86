import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);

test.each([...new Set(named)])('%s, which the threat model calls on, is there', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

test('every row of a threat names what proves that it is held', () => {
  const rows = page
    .split('\n')
    .filter((line) => /^\| (Spoofing|Tampering|Repudiation|Information|Denial|Elevation) /.test(line));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/`test\//.test(row))).toEqual([]);
});

test('every test of this folder is called on', () => {
  const here = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith('.test.ts') && !file.startsWith('threat'),
  );
  expect(here.map((file) => `test/security/${file}`).filter((path) => !named.includes(path))).toEqual([]);
});
