import { type Check, fault, abbreviated, type Finding, RESTORE_AGAIN, warning } from './check.ts';
import { type DeclaredTable, declaredTables, SEARCH_INDEXES } from './declared-schema.ts';

type StoredTable = { readonly name: string; readonly columns: string[]; readonly indexes: string[] };

/** Tables, their columns and their keys, as the migrations of this release build them. */
export const tablesCheck: Check = {
  name: 'tables',
  // A pending migration explains missing tables and columns.
  after: ['migrations'],
  async run({ query }) {
    const declared = await declaredTables();
    const stored = await query<StoredTable>(
      `select c.relname as name,
              array(select a.attname::text from pg_attribute a
                     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
              array(select x.relname::text from pg_index i join pg_class x on x.oid = i.indexrelid
                     where i.indrelid = c.oid and i.indisvalid) as indexes
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    );
    const byName = new Map(stored.map((table) => [table.name, table]));
    const missing = declared.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
    const findings = declared.flatMap((table) => {
      const there = byName.get(table.name);
      return there ? lacking(table, there) : [];
    });
    if (missing.length > 0) findings.unshift(missingTables(missing));
    return { seen: `${declared.length} tables with their columns and keys.`, findings };
  },
};

function missingTables(names: readonly string[]): Finding {
  const words =
    names.length === 1 ? `The table ${names[0]} is missing` : `The tables ${abbreviated(names)} are missing`;
  return fault(`${words}, though the migrations have run.`, RESTORE_AGAIN);
}

function lacking(declared: DeclaredTable, stored: StoredTable): Finding[] {
  const findings: Finding[] = [];
  const columns = declared.columns.filter((name) => !stored.columns.includes(name));
  if (columns.length > 0) {
    const words = columns.length === 1 ? `column ${columns[0]} of` : `columns ${abbreviated(columns)} of`;
    findings.push(
      fault(`The ${words} ${declared.name} ${columns.length === 1 ? 'is' : 'are'} missing.`, RESTORE_AGAIN),
    );
  }
  const extra = declared.name === 'account' ? SEARCH_INDEXES.map((name) => ({ name, unique: false })) : [];
  for (const { name, unique } of [...declared.indexes, ...extra]) {
    if (stored.indexes.includes(name)) continue;
    findings.push(
      unique
        ? // Writes rely on the key: without it, an effect could happen twice.
          fault(`The unique key ${name} of ${declared.name} is missing or invalid.`, RESTORE_AGAIN)
        : warning(
            `The index ${name} of ${declared.name} is missing or invalid, so that reads are slow.`,
            RESTORE_AGAIN,
          ),
    );
  }
  return findings;
}
