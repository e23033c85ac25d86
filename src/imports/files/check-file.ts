import type { CsvRow } from './csv/csv-rows.ts';
import { keyOf, type OpenFile, rowsFrom } from './file-rows.ts';
import { type RepeatedKeys, repeatedKeys } from './repeated-keys.ts';

/** The results of a complete reading. */
export type CheckedFile = { readonly rowsTotal: number; readonly repeated: Pick<RepeatedKeys, 'lineBefore'> };

/**
 * Reads a whole file before any row is applied: a file with an unreadable part has no effect.
 * @param heartbeat called regularly; its error ends the reading
 * @throws CsvFault
 */
export async function checkFile(file: OpenFile, heartbeat: () => Promise<void>): Promise<CheckedFile> {
  const repeated = repeatedKeys();
  let rowsTotal = 0;
  for await (const rows of keyedRows(file, heartbeat)) {
    for (const { key, row } of rows) {
      rowsTotal += 1;
      if (hasUsableKey(key, row)) repeated.note(key);
    }
  }
  if (repeated.countPossible() === 0) return { rowsTotal, repeated };
  for await (const rows of keyedRows(file, heartbeat)) {
    for (const { key, row } of rows) if (hasUsableKey(key, row)) repeated.compare(key, row.position, row.line);
  }
  return { rowsTotal, repeated };
}

async function* keyedRows(
  file: OpenFile,
  heartbeat: () => Promise<void>,
): AsyncIterable<ReadonlyArray<{ readonly key: string; readonly row: CsvRow }>> {
  for await (const rows of rowsFrom(file, file.header.end)) {
    yield rows.map((row) => ({ row, key: keyOf(file, row) }));
    await heartbeat();
  }
}

/** UTF-16 units above which every kind of file refuses a key, so that long keys do not fill the memory. */
const KEY_MAX = 512;

/** Whether a row has a usable key. Other rows are refused for another reason. */
function hasUsableKey(key: string, row: CsvRow): boolean {
  return key !== '' && key.length <= KEY_MAX && row.fault === undefined;
}
