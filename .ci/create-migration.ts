import { entities } from '../src/entities.ts';
import { createMigration } from '../src/persistence/migrate.ts';

// `node .ci/create-migration.ts add-chests`: writes what the entities need beyond the last migration. Read it before you
// commit it; foreign keys and anything else that entities do not declare are added by hand.
const name = process.argv[2];
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error('usage: node .ci/create-migration.ts <name-in-kebab-case>');
  process.exit(2);
}
const file = await createMigration(entities, name);
console.log(
  file === undefined ? 'The migrations already build what the entities declare.' : `src/persistence/migrations/${file}`,
);
