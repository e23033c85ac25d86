import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { CsvImport, RowCounts } from '../csv-import.ts';
import type { KnownColumns } from './csv/csv-header.ts';
import type { RefusedRow, RowLocation } from '../refusals.queries.ts';

/** The rules of one type of file. */
export type FileKind<Item> = {
  readonly columns: KnownColumns;
  /**
   * Reads the content of a row. `key` is its cell in the required column.
   * @throws DomainError with the reason of the refusal as its message
   */
  read(key: string, cell: (column: string) => string | undefined): Item;
  /** Applies rows in one transaction. It calls `hold` before its writes, and `record` with the outcomes. */
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
  /** The refusals concern rows that `read` had accepted. */
  record(uow: UnitOfWork, counts: Omit<RowCounts, 'refused'>, refusals: readonly RefusedRow[]): Promise<void>;
};

/** A row's content and location. */
export type ReadRow<Item> = { readonly item: Item; readonly location: RowLocation };
