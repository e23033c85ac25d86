import type { Check } from './check.ts';
import { migrationsCheck } from './migrations.check.ts';
import { rightsCheck } from './rights.check.ts';
import { rolesCheck } from './roles.check.ts';
import { rowSecurityCheck } from './row-security.check.ts';
import { searchCheck } from './search.check.ts';
import { serverCheck } from './server.check.ts';
import { settingsCheck } from './settings.check.ts';
import { tablesCheck } from './tables.check.ts';
import { wholeDumpCheck } from './whole-dump.check.ts';

/** All checks of the database, in the order of their dependencies. */
export const databaseChecks: readonly Check[] = [
  serverCheck,
  settingsCheck,
  rolesCheck,
  migrationsCheck,
  tablesCheck,
  rowSecurityCheck,
  rightsCheck,
  searchCheck,
  wholeDumpCheck,
];
