// docs/capacity.md calculates with its own figures: after a new measurement, its examples change too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkedPage, worked } from '../support/worked-page.ts';

const markdown = await readFile(join(import.meta.dirname, '../../docs/capacity.md'), 'utf8');
const page = readWorkedPage(markdown);

describe('the page about capacity', () => {
  test('has figures for what is stored, written, computed and held, and three worked examples', () => {
    expect(page.figures.size).toBeGreaterThan(15);
    expect(page.examples.length).toBeGreaterThanOrEqual(3);
    for (const { lines } of page.examples) expect(lines.length).toBeGreaterThan(5);
  });

  test.each(page.examples)('every result of $title follows from the figures of the page', (example) => {
    expect(example.lines).toEqual(worked(page, example));
  });

  test('a figure that changes alone makes its examples wrong', () => {
    const [name] = [...page.figures.keys()] as [string];
    const changed = readWorkedPage(markdown.replace(new RegExp(`^(\\| \`${name}\` +\\| )[\\d.,]+`, 'm'), '$1999,999'));
    expect(changed.figures.get(name)).toBe(999_999);
    const [example] = changed.examples as [(typeof changed.examples)[0]];
    expect(example.lines).not.toEqual(worked(changed, example));
  });

  test('every figure of the page is used by an example', () => {
    const used = new Set(
      page.examples.flatMap(({ lines }) => lines.flatMap(({ calculation }) => namesIn(calculation))),
    );
    expect([...page.figures.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});

function namesIn(calculation: string): string[] {
  return [...calculation.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}
