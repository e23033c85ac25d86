import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const ways = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ name: text.slice(0, text.indexOf('\n')), text }));

test('the page follows an event, a purchase and a webhook', () => {
  expect(ways.map(({ name }) => name)).toEqual(['An event', 'A purchase', 'A webhook']);
});

describe.each(ways)('$name', ({ text }) => {
  test('has numbered stops, each with its file', () => {
    const rows = [...text.matchAll(/^\| \d.*/gm)].map(([row]) => row);
    const stops = rows.map((row) => Number(/^\| (\d)\. \w+ +\| `src\/[^`]+`/.exec(row)?.[1]));
    expect(stops.length).toBeGreaterThanOrEqual(5);
    expect(stops).toEqual(stops.map((_, index) => index + 1));
  });

  test('names files that are there', () => {
    const files = [...text.matchAll(/`(src\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
