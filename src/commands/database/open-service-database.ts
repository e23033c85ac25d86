import { feedChanges } from '../../app/record-changes.ts';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../app/config.ts';
import { entities } from '../../app/entities.ts';
import type { Check } from '../../persistence/checks/check.ts';
import { databaseChecks } from '../../persistence/checks/database-checks.ts';
import { faultsOf, inspect } from '../../persistence/checks/inspect.ts';
import { DatabaseNotReady } from '../../persistence/connections/failures.ts';
import { type Database, openDatabase } from '../../persistence/database.ts';
import { requireDriverVersion } from '../../persistence/driver/driver.ts';
import { startEmbeddedPostgres } from '../../persistence/postgres/embedded-postgres.ts';
import { migrate } from '../../persistence/migrate.ts';
import { recordCommand } from '../operator.ts';
import { RefusedByChecks } from '../serving/service-checks.ts';

/** The service's database, migrated, with a function to close it. */
export type ServiceDatabase = {
  readonly db: Database;
  /** The URL with its credentials: for other processes of the service, never for a log. */
  readonly url: string;
  /** Milliseconds for which the service may be stopped before its start distrusts the clock. */
  readonly awayMs: number;
  /** Closes the connections, and stops an embedded PostgreSQL. */
  close(): Promise<void>;
};

/** The checks before a command opens the database. */
export type Conditions = {
  /** By default the checks of the database alone. */
  readonly checks?: readonly Check[];
  /** `running`: the service has started before, and this process replaces one that ended. */
  readonly when?: 'start' | 'running';
  /** By default as for the service, whose calls wait for each statement. */
  readonly statementTimeoutMs?: number;
};

const DAY_MS = 86_400_000;

/**
 * Milliseconds for which the service may be stopped before its start distrusts the clock: a day, or a month with the
 * embedded database, which runs only now and then.
 */
export function downtimeMaxMs({ databaseUrl }: Pick<Config, 'databaseUrl'>): number {
  return databaseUrl === undefined ? 30 * DAY_MS : DAY_MS;
}

/**
 * The address of the configured database, or of the embedded one, which this function starts.
 * @throws Error if the installed driver has another version than this release needs
 */
export async function locateDatabase(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  requireDriverVersion();
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} };
  return startEmbeddedPostgres({ folder: join(config.dataFolder, 'postgres') });
}

/**
 * Opens the database for a command.
 * @throws RefusedByChecks with all faults and their remedies, including pending migrations
 */
export async function openServiceDatabase(
  config: Config,
  logger: Logger,
  conditions: Conditions = {},
): Promise<ServiceDatabase> {
  const located = await locateDatabase(config);
  try {
    const applied = config.migrate ? await migrateOrExplain(located.url, logger) : [];
    await assertFit(located.url, logger, conditions);
    const { poolMax, preparedStatements } = config;
    const { statementTimeoutMs } = conditions;
    const limits = statementTimeoutMs === undefined ? {} : { statementTimeoutMs };
    const db = await openDatabase({ url: located.url, entities, poolMax, preparedStatements, logger, ...limits });
    feedChanges(db);
    if (applied.length > 0) await recordCommand(db, { name: 'Migrate', note: applied.join(', ') });
    return {
      db,
      url: located.url,
      awayMs: downtimeMaxMs(config),
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

/** PostgreSQL's message names the obstacle of a migration; our message adds the cause. */
async function migrateOrExplain(url: string, logger: Logger): Promise<readonly string[]> {
  try {
    return await migrate(url, logger);
  } catch (error) {
    if (error instanceof DatabaseNotReady) throw error;
    const faults = faultsOf(await inspect(url, databaseChecks), 'start');
    throw faults.length === 0 ? error : new RefusedByChecks(faults, error);
  }
}

async function assertFit(url: string, logger: Logger, { checks = databaseChecks, when = 'start' }: Conditions) {
  const verdicts = await inspect(url, checks);
  const faults = faultsOf(verdicts, when);
  if (faults.length > 0) throw new RefusedByChecks(faults);
  for (const { problem, remedy } of verdicts.flatMap(({ findings }) => findings)) logger.warn({ remedy }, problem);
}
