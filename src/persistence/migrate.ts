import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { isContention, isLockTimeout } from './failures.ts';
import { KEEP_ALIVE, ServiceClient } from './service-client.ts';

/**
 * Brings the database at `url` to the newest schema. Of several processes that start at once one migrates and the others
 * wait for it. The login must own the tables and be allowed to create the two roles, unless they exist already.
 * @returns the names of the migrations that it applied
 */
export async function migrate(url: string, logger?: Logger): Promise<string[]> {
  return whileOthersWait(url, () =>
    withMigrator({ clientUrl: url, entities: [] }, (migrator, orm) => applyPatiently(migrator, orm, logger)),
  );
}

/**
 * Milliseconds that a migration waits for a table that somebody reads. Whoever wants the table after it waits behind it, and
 * that is every call; so it gives way and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;

/** Milliseconds between two attempts at a migration: longer than an attempt, so that calls have most of the time. */
const RETRY_MS = 3_000;

/** Milliseconds for which a migration is tried again, before a reader who stays is told of as an error. */
const PATIENCE_MS = 10 * 60_000;

/** @throws what a migration failed with; that a table was in use only after the time in which it is tried again */
async function applyPatiently(migrator: Migrator, orm: MikroORM, logger: Logger | undefined): Promise<string[]> {
  const before = new Set((await migrator.getPending()).map(({ name }) => name));
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await orm.em.fork().transactional(async (em) => {
        // Not a setting of the session, which a pooler would hand on to others.
        await em.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await migrator.up({ transaction: em.getTransactionContext()! });
      });
      for (const name of before) logger?.info({ migration: name }, 'migrated');
      return [...before];
    } catch (error) {
      if (!(isLockTimeout(error) || isContention(error)) || performance.now() > giveUpAt) throw error;
      const [next] = await migrator.getPending();
      const facts = { err: error, migration: next?.name, retryInMs: RETRY_MS };
      logger?.warn(facts, 'a migration waits for a table that somebody else uses: look for long transactions');
      await sleep(RETRY_MS);
    }
  }
}

/** The names of the migrations that the database at `url` lacks. It may be used while another process migrates. */
export async function pendingMigrations(url: string): Promise<string[]> {
  return withMigrator({ clientUrl: url, entities: [] }, async (migrator) => {
    const pending = await migrator.getPending();
    return pending.map(({ name }) => name);
  });
}

/**
 * Whether the entities differ from what the migrations build, so that someone has forgotten to create a migration. It
 * compares with the snapshot beside the migrations and needs no database.
 */
export async function entitiesHaveDrifted(entities: NonNullable<Options['entities']>): Promise<boolean> {
  return withMigrator({ dbName: 'laurel', entities }, (migrator) => migrator.checkSchema());
}

/**
 * Writes the migration that takes the snapshot to the entities, and the new snapshot.
 * @returns the name of the file, or undefined if there is nothing to do
 */
export async function createMigration(
  entities: NonNullable<Options['entities']>,
  name: string,
): Promise<string | undefined> {
  const { fileName } = await withMigrator({ dbName: 'laurel', entities }, (migrator) =>
    migrator.create(undefined, false, false, name),
  );
  return fileName === '' ? undefined : fileName;
}

async function withMigrator<T>(
  options: Pick<Options, 'clientUrl' | 'dbName' | 'entities'>,
  use: (migrator: Migrator, orm: MikroORM) => Promise<T>,
): Promise<T> {
  const orm = await MikroORM.init({
    ...options,
    extensions: [Migrator],
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    pool: { max: 2 },
    driverOptions: CONNECTING,
    logger: () => {},
    migrations: {
      path: join(import.meta.dirname, 'migrations'),
      glob: '*.ts',
      fileName: (timestamp, name) => `${timestamp}-${name ?? 'change'}`,
      tableName: 'migration',
      snapshotName: 'snapshot',
      // Only `createMigration` writes it: a server's folder may be read-only, and its schema may be ahead.
      snapshotOnMigrate: false,
      // Off needs a superuser.
      disableForeignKeys: false,
      silent: true,
    },
  });
  try {
    return await use(orm.migrator as Migrator, orm);
  } finally {
    await orm.close(true);
  }
}

/** A server that does not answer, or is lost, does not hold up the start for ever. Statements may take their time. */
const CONNECTING = { connectionTimeoutMillis: 10_000, ...KEEP_ALIVE };

/** Any number will do as long as nobody else locks it. */
const MIGRATION_LOCK = 4_921_733_505;

/** The lock belongs to a transaction and not to the session, so that it also holds through a PgBouncer. */
async function whileOthersWait<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new ServiceClient({ connectionString: url, application_name: 'laurel migrate', ...CONNECTING });
  // Its loss ends the lock and not the process; the query that runs fails by itself.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('idle_in_transaction_session_timeout', '0', true), pg_advisory_xact_lock($1)`,
      [MIGRATION_LOCK],
    );
    return await work();
  } finally {
    await client.end();
  }
}
