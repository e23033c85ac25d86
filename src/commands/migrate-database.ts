import type { Config } from '../config.ts';
import { createLogger } from '../logger.ts';
import { migrate } from '../persistence/migrate.ts';
import { locateDatabase } from './open-service-database.ts';
import { recordCommandAt } from './operator.ts';

/** `laurel migrate`: brings the schema up to date and says what it did. */
export async function migrateDatabase(config: Config): Promise<void> {
  const located = await locateDatabase(config);
  try {
    const applied = await migrate(located.url, createLogger(config.logLevel));
    if (applied.length > 0) await recordCommandAt(config, located.url, { name: 'Migrate', note: applied.join(', ') });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  } finally {
    await located.close();
  }
}
