import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { entities } from '../entities.ts';
import { type Database, openDatabase } from '../persistence/database.ts';
import { startEmbeddedPostgres } from '../persistence/embedded-postgres.ts';
import { migrate, pendingMigrations } from '../persistence/migrate.ts';

/** The service's database, migrated, and how to let go of it. */
export type ServiceDatabase = {
  readonly db: Database;
  /** With its credentials: for other processes of the service, never for a log. */
  readonly url: string;
  /** Closes the connections, and stops the PostgreSQL if it is the service's own. */
  close(): Promise<void>;
};

/** Where the database is: the configured one, or one of the service's own that this starts. */
export async function locateDatabase(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} };
  return startEmbeddedPostgres({ folder: join(config.dataFolder, 'postgres') });
}

/**
 * Opens the database for a command.
 * @throws Error that says how to migrate if migrations are pending and may not be run here
 */
export async function openServiceDatabase(config: Config, logger: Logger): Promise<ServiceDatabase> {
  const located = await locateDatabase(config);
  try {
    await bringUpToDate(located.url, config, logger);
    const { poolMax, preparedStatements } = config;
    const db = await openDatabase({ url: located.url, entities, poolMax, preparedStatements, logger });
    return {
      db,
      url: located.url,
      async close() {
        await db.close();
        await located.close();
      },
    };
  } catch (error) {
    await located.close();
    throw error;
  }
}

async function bringUpToDate(url: string, config: Config, logger: Logger): Promise<void> {
  if (config.migrate) {
    await migrate(url, logger);
    return;
  }
  const pending = await pendingMigrations(url);
  if (pending.length === 0) return;
  throw new Error(
    `The database lacks ${pending.length} migration(s): ${pending.join(', ')}. Run \`npm run laurel -- migrate\`, or start with --migrate.`,
  );
}
