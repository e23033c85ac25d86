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
  test('has five stops, each with its file', () => {
    const stops = [...text.matchAll(/^\| (\d)\. \w+ +\| `(src\/[^`]+)`/gm)].map(([, number]) => number);
    expect(stops).toEqual(['1', '2', '3', '4', '5']);
  });

  test('names files that are there', () => {
    const files = [...text.matchAll(/`(src\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
