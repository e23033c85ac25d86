import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CsvRow } from '../../../src/imports/files/csv/csv-rows.ts';
import { BATCH_BYTES, BATCH_ROWS, batchesOf } from '../../../src/imports/files/row-batches.ts';

/** Lengths of rows in bytes, by the piece of the file in which they end. */
const pieces = fc.array(
  fc.oneof(
    fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
    fc.integer({ min: 1, max: 5_000 }).map((count) => Array.from({ length: count }, () => 40)),
    fc.array(fc.integer({ min: 1, max: 3 * BATCH_BYTES }), { maxLength: 4 }),
  ),
  { maxLength: 12 },
);

async function* rowsOf(lengths: readonly (readonly number[])[]): AsyncIterable<CsvRow[]> {
  let position = 0;
  for (const piece of lengths) {
    yield piece.map((length) => {
      const row = { position, end: position + length, line: 1, nextLine: 2, cells: [], fault: undefined };
      position += length;
      return row;
    });
  }
}

const bytesOf = (rows: readonly CsvRow[]) => rows.reduce((sum, { position, end }) => sum + end - position, 0);

test('batches hold every row once, in order, and no more rows or bytes than a transaction may have', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (lengths) => {
      const batches = await Array.fromAsync(batchesOf(rowsOf(lengths)));
      expect(batches.flat()).toEqual((await Array.fromAsync(rowsOf(lengths))).flat());
      for (const [index, batch] of batches.entries()) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(BATCH_ROWS);
        // Without its last row the batch had room left, or it would have ended before.
        expect(bytesOf(batch.slice(0, -1))).toBeLessThan(BATCH_BYTES);
        const isFull = batch.length === BATCH_ROWS || bytesOf(batch) >= BATCH_BYTES;
        expect(isFull || index === batches.length - 1).toBe(true);
      }
    }),
  );
});
