import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { CsvImport, RowCounts } from '../csv-import.ts';
import type { KnownColumns } from './csv/csv-header.ts';
import type { Refusal, RefusedPlace } from '../refusals.queries.ts';

/** The rules of one type of file. */
export type FileKind<Item> = {
  readonly columns: KnownColumns;
  /**
   * The content of a row. `key` is its cell in the required column.
   * @throws DomainError whose message is the reason why the row is refused
   */
  read(key: string, cell: (column: string) => string | undefined): Item;
  /**
   * Applies rows in one transaction, in which it calls `hold` before it writes and `record` with what became of them.
   */
  apply(batch: Batch<Item>): Promise<void>;
};

/** Rows that are applied together. */
export type Batch<Item> = {
  readonly db: Database;
  readonly clientId: string;
  readonly source: CsvImport;
  readonly rows: ReadonlyArray<ReadRow<Item>>;
  readonly now: Date;
  /** @throws LostRun if this process may not work on the import any more */
  hold(uow: UnitOfWork): Promise<void>;
  /** Refusals are of rows that `read` had let pass. */
  record(uow: UnitOfWork, counts: Omit<RowCounts, 'refused'>, refusals: readonly Refusal[]): Promise<void>;
};

/** A row, and what it asks for. */
export type ReadRow<Item> = { readonly item: Item; readonly place: RefusedPlace };
