import type { CsvRow } from './csv/csv-rows.ts';

/** Rows of one transaction: some 100 ms, so that anyone who waits for one of these accounts does not wait long. */
export const BATCH_ROWS = 2_000;

/** Bytes of the file that those rows may have together, unless one alone has more: 2,000 rows of 16 MiB fit into no memory. */
export const BATCH_BYTES = 2_097_152;

/** The rows of all pieces in their order, in batches for one transaction each. */
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
