import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of one table's parts, as the migrations create them. */
export type DeclaredTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly indexes: readonly { readonly name: string; readonly unique: boolean }[];
};

/** The used part of the migrations' snapshot. */
type Snapshot = {
  readonly tables: readonly {
    readonly name: string;
    readonly columns: Readonly<Record<string, unknown>>;
    readonly indexes: readonly { readonly keyName: string; readonly unique: boolean }[];
  }[];
};

let read: Promise<readonly DeclaredTable[]> | undefined;

/** The tables of all entities; read once. */
export function declaredTables(): Promise<readonly DeclaredTable[]> {
  read ??= readSnapshot();
  return read;
}

/** Indexes on expressions, which only a migration declares: without them searches are slow but correct. */
export const SEARCH_INDEXES = ['account_list', 'account_name_search', 'account_email_search'];

async function readSnapshot(): Promise<DeclaredTable[]> {
  const text = await readFile(join(import.meta.dirname, '../migrations/snapshot.json'), 'utf8');
  const { tables } = JSON.parse(text) as Snapshot;
  return tables.map(({ name, columns, indexes }) => ({
    name,
    columns: Object.keys(columns),
    indexes: indexes.map(({ keyName, unique }) => ({ name: keyName, unique })),
  }));
}
