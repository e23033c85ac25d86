import { describe, expect, it } from 'vitest';
import { allRows } from '../../src/console/table/all-rows.ts';

/**
 * A list of `count` rows, ten per answer.
 * @returns the received rows, whether the console says that they are all, and the requested answers
 */
async function saved(count: number, most: number) {
  const list = Array.from({ length: count }, (_, index) => index);
  let asked = 0;
  const { rows, isWhole } = await allRows<number, number>(async (from = 0) => {
    asked += 1;
    return { rows: list.slice(from, from + 10), next: from + 10 < count ? from + 10 : undefined };
  }, most);
  return { rows: rows.length, isWhole, asked };
}

describe('The rows of a file', () => {
  it.each([
    ['none', 0, { rows: 0, isWhole: true, asked: 1 }],
    ['fewer than it holds', 35, { rows: 35, isWhole: true, asked: 4 }],
    ['just as many as it holds', 40, { rows: 40, isWhole: true, asked: 4 }],
    ['one more than it holds', 41, { rows: 40, isWhole: false, asked: 4 }],
    ['many more', 4_000, { rows: 40, isWhole: false, asked: 4 }],
  ])('are shown as all or a part: %s', async (_, count, expected) => {
    expect(await saved(count, 40)).toEqual(expected);
  });

  it('are shown as a part also where an answer goes over the edge', async () => {
    expect(await saved(45, 42)).toEqual({ rows: 42, isWhole: false, asked: 5 });
  });
});
