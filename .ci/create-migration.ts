// `npm run migration -- add-chests` writes the formatted changes of the entities since the last migration, and the snapshot for the next
// comparison. `--check` instead of a name only reports whether changes exist. It needs no database. Read the file before you commit it;
// foreign keys, row-level security and anything else that entities do not declare are added by hand.
import { spawnSync } from 'node:child_process';
import { entities } from '../src/app/entities.ts';
import { createMigration, entitiesHaveDrifted } from '../src/persistence/migrate.ts';

const name = process.argv[2];
if (name === '--check') process.exit((await entitiesHaveDrifted(entities)) ? 1 : 0);
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error('usage: npm run migration -- <name-in-kebab-case>');
  process.exit(2);
}
const file = await createMigration(entities, name);
if (file === undefined) {
  console.log('The migrations already build what the entities declare: nothing was written.');
} else {
  const path = `src/persistence/migrations/${file}`;
  const { status } = spawnSync('oxfmt', [path], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(path);
  process.exitCode = status ?? 1;
}
