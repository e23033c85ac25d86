import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a table is named after in SQL, so that `from client` counts and a column `client` does not. */
const NAMED_TABLE = /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?([a-z_]+)\b/g;

/** Folders of `src` that own the database as a whole, or run a migration. */
const SEES_ALL = new Set(['persistence']);

const root = join(import.meta.dirname, '..');

/** The module that owns each table: the one where its entity lies. Views belong to the module of their table. */
const owners = new Map<string, string>([
  ['account_search', 'accounts'],
  ['journal_search', 'journal'],
]);
for (const file of globSync('src/**/*.entity.ts', { cwd: root })) {
  const table = /tableName: '(\w+)'/.exec(readFileSync(join(root, file), 'utf8'))?.[1];
  const [, module = ''] = file.split('/');
  if (table !== undefined) owners.set(table, module);
}

/** Why a text of SQL in a file of `module` is refused: it names a table of another module; undefined where it may stay. */
export function foreignTable(module: string, sql: string): string | undefined {
  if (SEES_ALL.has(module)) return undefined;
  for (const [, table = ''] of sql.matchAll(NAMED_TABLE)) {
    const owner = owners.get(table);
    if (owner === undefined || owner === module || isDefinedThere(sql, table)) continue;
    return `The table ${table} belongs to ${owner}: call a function of ${owner}, or join a piece of SQL that it exports.`;
  }
  return undefined;
}

/** A common table expression may have the name of a table. */
function isDefinedThere(sql: string, name: string): boolean {
  return new RegExp(`\\b${name}\\s+as\\s+(?:materialized\\s+|not materialized\\s+)?\\(`).test(sql);
}
