import type { Config } from '../../app/config.ts';
import { createLogger } from '../../app/logger.ts';
import { faultsOf, inspect } from '../../persistence/checks/inspect.ts';
import { migrate } from '../../persistence/migrate.ts';
import { locateDatabase } from './open-service-database.ts';
import { recordCommandAt } from '../operator.ts';
import { RefusedByChecks } from '../serving/service-checks.ts';

/** `laurel migrate`: updates the schema and prints the changes. */
export async function migrateDatabase(config: Config): Promise<void> {
  const located = await locateDatabase(config);
  try {
    const applied = await migrate(located.url, createLogger(config.logLevel)).catch(async (error: unknown) => {
      // No checks of reachable parts run here, because the missing migrations are known.
      const faults = faultsOf(await inspect(located.url, []), 'start');
      throw faults.length === 0 ? error : new RefusedByChecks(faults, error);
    });
    if (applied.length > 0) await recordCommandAt(config, located.url, { name: 'Migrate', note: applied.join(', ') });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  } finally {
    await located.close();
  }
}
