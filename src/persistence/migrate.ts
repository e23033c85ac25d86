import { join } from 'node:path';
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isContention, isLockTimeout } from './connections/failures.ts';
import { type ClientWatch, IDENTITY } from './watches/client-watch.ts';
import { exclusively, LOCKS } from './connections/exclusively.ts';
import { CONNECTING } from './postgres/service-client.ts';

/**
 * Brings the database at `url` to the newest schema. Of several processes that start at once one migrates and the others
 * wait for it. A connection that goes silent is given up, and its transaction ended where the server lives. The login must
 * own the tables and be allowed to create the two roles, unless they exist already. What a migration decides about rows, and
 * raises as a notice, is logged once it is applied.
 * @returns the names of the migrations that it applied
 */
export async function migrate(url: string, logger?: Logger, { silenceMs }: MigrateOptions = {}): Promise<string[]> {
  return exclusively({ url, lock: LOCKS.migration, name: 'laurel migrate', logger, silenceMs }, (watch) =>
    withMigrator(
      { clientUrl: url, entities: [] },
      (migrator, orm, decisions) => applyPatiently(migrator, orm, decisions, logger),
      watch,
    ),
  );
}

/** SQLSTATE of the notices by which a migration tells what it decides; PostgreSQL's own have others. */
export const DECISION = 'LAUR1';

/** How it migrates. */
export type MigrateOptions = {
  /** Milliseconds without a byte after which a connection is suspected to be dead; 10 s by default. Slow statements are not harmed. */
  readonly silenceMs?: number;
};

/**
 * Milliseconds that a migration waits for a table that somebody reads. Anyone who wants the table after it waits behind it, and
 * that is every call; so it gives way and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;

/** Milliseconds between two attempts at a migration: longer than an attempt, so that calls have most of the time. */
const RETRY_MS = 3_000;

/** Milliseconds for which a migration is tried again, before a reader who stays is told of as an error. */
const PATIENCE_MS = 10 * 60_000;

/** @throws what a migration failed with; that a table was in use only after the time in which it is tried again */
async function applyPatiently(
  migrator: Migrator,
  orm: MikroORM,
  decisions: string[],
  logger: Logger | undefined,
): Promise<string[]> {
  const before = new Set((await migrator.getPending()).map(({ name }) => name));
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    decisions.length = 0;
    try {
      await orm.em.fork().transactional(async (em) => {
        // Not a setting of the session, which a pooler would hand on to others.
        await em.execute(`select set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true), ${IDENTITY}`);
        await migrator.up({ transaction: em.getTransactionContext()! });
      });
      for (const name of before) logger?.info({ migration: name }, 'migrated');
      for (const decision of decisions) logger?.warn({ decision }, 'a migration has changed rows that did not fit');
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

/** Going back would lose rows. */
class ForwardOnly extends TSMigrationGenerator {
  override generateMigrationFile(className: string, { up }: { up: string[] }): string {
    return super.generateMigrationFile(className, { up, down: [] });
  }
}

async function withMigrator<T>(
  options: Pick<Options, 'clientUrl' | 'dbName' | 'entities'>,
  use: (migrator: Migrator, orm: MikroORM, decisions: string[]) => Promise<T>,
  watch?: ClientWatch,
): Promise<T> {
  const open = new Set<pg.PoolClient>();
  const decisions: string[] = [];
  let noneOpen: (() => void) | undefined;
  const onConnect = (client: pg.PoolClient) => {
    watch?.add(client);
    open.add(client);
    client.on('notice', ({ code, message = '' }) => void (code === DECISION && decisions.push(message)));
    client.once('end', () => {
      open.delete(client);
      if (open.size === 0) noneOpen?.();
    });
  };
  const orm = await MikroORM.init({
    ...options,
    extensions: [Migrator],
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    pool: { max: 2 },
    driverOptions: {
      ...CONNECTING,
      onPoolCreated: (pool: pg.Pool) => void pool.on('connect', onConnect),
    },
    logger: () => {},
    migrations: {
      path: join(import.meta.dirname, 'migrations'),
      glob: '*.ts',
      fileName: (timestamp, name) => `${timestamp}-${name ?? 'change'}`,
      tableName: 'migration',
      snapshotName: 'snapshot',
      generator: ForwardOnly,
      // Only `createMigration` writes it: a server's folder may be read-only, and its schema may be ahead.
      snapshotOnMigrate: false,
      // Off needs a superuser.
      disableForeignKeys: false,
      silent: true,
    },
  });
  try {
    return await use(orm.migrator as Migrator, orm, decisions);
  } finally {
    // A transaction that cannot roll back, because its connection is lost, never gives that back, and the pool waits for it.
    const ended = open.size === 0 ? undefined : new Promise<void>((resolve) => (noneOpen = resolve));
    await Promise.race([orm.close(true), ended]);
  }
}
