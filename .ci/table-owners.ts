import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The table after a keyword of SQL, so that `from client` counts and a column `client` does not. */
const NAMED_TABLE = /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?([a-z_]+)\b/g;

/** Folders of `src` that own the whole database, or run a migration. */
const SEES_ALL = new Set(['persistence']);

const root = join(import.meta.dirname, '..');

/** The owner of each table: the module of its entity. A view belongs to the module of its table. */
const owners = new Map<string, string>([
  ['account_search', 'accounts'],
  ['journal_search', 'journal'],
]);
for (const file of globSync('src/**/*.entity.ts', { cwd: root })) {
  const table = /tableName: '(\w+)'/.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  const [, module = ''] = file.split('/');
  if (table !== undefined) owners.set(table, module);
}

/** The reason to refuse a text of SQL in a file of `module`: it names a table of another module; undefined if it is allowed. */
export function foreignTable(module: string, sql: string): string | undefined {
  if (SEES_ALL.has(module)) return undefined;
  for (const [, table = ''] of sql.matchAll(NAMED_TABLE)) {
    const owner = owners.get(table);
    if (owner === undefined || owner === module || isDefinedThere(sql, table)) continue;
    return `The table ${table} belongs to ${owner}: call a function of ${owner}, or join a piece of SQL that it exports.`;
  }
  return undefined;
}

/** Whether `name` is a common table expression, which may have the name of a table. */
function isDefinedThere(sql: string, name: string): boolean {
  return new RegExp(`\\b${name}\\s+as\\s+(?:materialized\\s+|not materialized\\s+)?\\(`).test(sql);
}
