import type { CsvRow } from './csv/csv-rows.ts';

/** Rows per transaction: about 100 ms, so that other callers wait only briefly for these accounts. */
export const BATCH_ROWS = 2_000;

/** The most bytes of a batch, unless a single row has more: 2,000 rows of 16 MiB do not fit into memory. */
export const BATCH_BYTES = 2_097_152;

/** The rows of all pieces in order, in batches of one transaction each. */
export async function* batchesOf(pieces: AsyncIterable<readonly CsvRow[]>): AsyncIterable<CsvRow[]> {
  let batch: CsvRow[] = [];
  let bytes = 0;
  for await (const rows of pieces) {
    for (const row of rows) {
      batch.push(row);
      bytes += row.end - row.position;
      if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
