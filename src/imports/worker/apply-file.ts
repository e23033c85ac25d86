import type { Clock } from '../../kernel/time/clock.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { CheckedFile } from '../files/check-file.ts';
import type { CsvImport } from '../csv-import.ts';
import type { CsvRow } from '../files/csv/csv-rows.ts';
import type { FileKind, ReadRow } from '../files/file-kind.ts';
import { cellOf, keyOf, type OpenFile, rowsFrom } from '../files/file-rows.ts';
import { lockImport, moveCursor, type Run } from './jobs.queries.ts';
import { batchesOf } from '../files/row-batches.ts';
import { insertRefusals, type RefusedRow, refusalOf, REFUSALS_MAX, storable } from '../refusals.queries.ts';

/** The import was cancelled, or another worker has taken it over. */
export class LostRun extends Error {
  override readonly name = 'LostRun';
}

/**
 * Locks an import until the transaction ends.
 * @throws LostRun if this process may not work on it any more
 */
export async function holdImport(uow: UnitOfWork, run: Run): Promise<void> {
  if (!(await lockImport(uow, run))) throw new LostRun();
}

/** A checked file to apply. */
export type Application<Item> = {
  /** The database for batches; a wait for a locked row in it may throw. */
  readonly db: Database;
  readonly file: OpenFile;
  readonly checked: CheckedFile;
  readonly kind: FileKind<Item>;
  readonly source: CsvImport;
  readonly run: Run;
  readonly leaseMs: number;
  readonly clock: Clock;
  /** Called between batches; its error ends the work. */
  readonly heartbeat: () => Promise<void>;
};

/**
 * Applies the rows after the cursor, batch by batch. Each batch moves the cursor in its own transaction, so after a crash each row has had
 * its whole effect or none, and the next worker continues there. The next batch is read while one is applied.
 * @throws LostRun, and the errors of batches
 */
export async function applyFile<Item>(application: Application<Item>): Promise<void> {
  const { file, source, heartbeat } = application;
  const start = source.position > 0 ? { position: source.position, line: source.line } : file.header.end;
  const progress = { refused: source.rows.refused };
  const batches = batchesOf(rowsFrom(file, start));
  let applying: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      await applying;
      await heartbeat();
      applying = applyRows(application, batch, progress);
      // The later `await` reports a failure; until then it must not be an unhandled rejection.
      applying.catch(() => {});
    }
  } finally {
    // The wait also follows a failed reading: no batch may still run at the return.
    await applying;
  }
}

async function applyRows<Item>(
  application: Application<Item>,
  rows: readonly CsvRow[],
  progress: { refused: number },
): Promise<void> {
  const { kind, file, source, run, leaseMs, clock } = application;
  const { items, refusals } = sortRows(application, rows);
  const { end: position, nextLine: line } = rows.at(-1)!;
  let refused = 0;
  await kind.apply({
    db: application.db,
    clientId: file.clientId,
    source,
    rows: items,
    now: clock(),
    hold: (uow) => holdImport(uow, run),
    async record(uow, counts, refusedWhenApplied) {
      const all = [...refusals, ...refusedWhenApplied].toSorted((a, b) => a.position - b.position);
      refused = all.length;
      await insertRefusals(uow, run.importId, all.slice(0, Math.max(0, REFUSALS_MAX - progress.refused)));
      await moveCursor(uow, run, { location: { position, line }, rows: { ...counts, refused }, leaseMs });
    },
  });
  progress.refused += refused;
}

type SortedRows<Item> = { readonly items: Array<ReadRow<Item>>; readonly refusals: RefusedRow[] };

/** The rows that can be applied as far as their cells show, and the others. */
function sortRows<Item>(application: Application<Item>, rows: readonly CsvRow[]): SortedRows<Item> {
  const { file, kind } = application;
  const sorted: SortedRows<Item> = { items: [], refusals: [] };
  for (const row of rows) {
    const key = row.fault === undefined ? keyOf(file, row) : '';
    const location = { position: row.position, line: row.line, key: storable(key) };
    try {
      const reason = faultOf(application, row, key);
      if (reason !== undefined) sorted.refusals.push(refusalOf(location, reason));
      else sorted.items.push({ location, item: kind.read(key, (column) => cellOf(file, row, column)) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sorted.refusals.push(refusalOf(location, error.sentence));
    }
  }
  return sorted;
}

function faultOf<Item>({ checked, kind }: Application<Item>, row: CsvRow, key: string): Sentence | undefined {
  if (row.fault !== undefined) return row.fault;
  const earlier = checked.repeated.lineBefore(key, row.position);
  return earlier === undefined ? undefined : sentence`Its ${kind.columns.required} stands in line ${earlier} already.`;
}
