// No migration since the last release blocks calls, or removes what hosts of the last release use: the rules are in `migration-rules.ts`.
// docs/upgrading.md shows the declaration of each migration; `--write` updates it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '@mikro-orm/migrations';
import { compatibilityTable } from '../src/commands/database/upgrade-check.ts';
import { declaredBy, ownMigrations, releaseOf } from '../src/persistence/migrating/own-migrations.ts';
import { largeTables } from './large-tables.ts';
import { refusalsOf, tablesMadeBy } from './migration-rules.ts';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/upgrading.md');
const TABLE = /(<!-- migrations: .*-->\n\n)[\s\S]*?(\n\n<!-- end of migrations -->)/;

const faults: string[] = [];
const unreleased = (await ownMigrations()).filter((name) => releaseOf(name) === undefined);
let made: ReadonlySet<string> = new Set();
for (const name of unreleased) {
  const module = await declaredBy(name);
  const up = await statementsOf(module);
  const refused = refusalsOf({ ...module, up }, made);
  made = tablesMadeBy(up).union(made);
  faults.push(...refused.map((words) => `src/persistence/migrations/${name}.ts: ${words}`));
}

const tables = new Set(
  globSync('src/**/*.entity.ts', { cwd: root }).flatMap(
    (file) => /tableName: '(\w+)'/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? [],
  ),
);
for (const table of largeTables.filter((name) => !tables.has(name))) {
  faults.push(`.ci/large-tables.ts: no entity has the table ${table}.`);
}

const page = readFileSync(PAGE, 'utf8');
const written = page.replace(TABLE, inPlace(await compatibilityTable()));
if (process.argv.includes('--write')) writeFileSync(PAGE, written);
else if (squeezed(written) !== squeezed(page)) {
  faults.push('docs/upgrading.md differs from what the migrations declare: `node .ci/check-migrations.ts --write`.');
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** The replacement of the table; a function, because dollar signs in a text would be references. */
function inPlace(table: string): (all: string, begin: string, end: string) => string {
  return (_all, begin, end) => `${begin}${table}${end}`;
}

/** A text without the spaces by which the formatter aligns a table. */
function squeezed(text: string): string {
  return text.replace(/-{2,}/g, '-').replace(/ +/g, ' ');
}

async function statementsOf(module: object): Promise<string[]> {
  const Made = Object.values(module).find((each) => typeof each === 'function') as new (...needs: never[]) => Migration;
  const migration = new Made({} as never, {} as never);
  await migration.up();
  return migration.getQueries().map(String);
}
