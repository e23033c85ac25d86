import { join } from 'node:path';
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { ClientWatch } from './watches/client-watch.ts';
import { withAdvisoryLock, LOCKS } from './connections/advisory-lock.ts';
import { declaredBy } from './migrating/own-migrations.ts';
import { inTransaction } from './migrating/lock-retries.ts';
import { runStep } from './migrating/run-step.ts';
import { DatabaseNotReady } from './connections/failures.ts';
import { pinSession } from './connections/pinned-settings.ts';
import { type Client, ormPoolOptions } from './driver/driver.ts';

/**
 * Brings the database at `url` to the newest schema. Of several processes that start at once one migrates and the others wait for it. A
 * silent connection is given up, and its transaction is ended on the server. The login must own the tables and be allowed to create the two
 * roles, unless they exist already. Calls are served meanwhile, and the next attempt completes an interrupted migration. Decisions about
 * rows, which a migration raises as notices, are logged once it is applied.
 * @returns the names of the migrations that it applied
 */
export async function migrate(url: string, logger?: Logger, { silenceMs }: MigrateOptions = {}): Promise<string[]> {
  return withAdvisoryLock({ url, lock: LOCKS.migration, name: 'laurel migrate', logger, silenceMs }, (watch) =>
    withMigrator(
      { clientUrl: url, entities: [] },
      (migrator, orm, decisions) => applyEach(url, { migrator, orm, decisions }, logger),
      watch,
    ),
  );
}

/** SQLSTATE of the notices about a migration's decisions; PostgreSQL's own notices have others. */
export const DECISION = 'LAUR1';

/** The options of {@link migrate}. */
export type MigrateOptions = {
  /** Milliseconds without a byte after which a connection is suspected to be dead; 10 s by default. Slow statements are unaffected. */
  readonly silenceMs?: number;
};

/**
 * Applies the missing migrations, each in its own transaction after its steps, so that locks of two migrations never
 * add up.
 */
async function applyEach(
  url: string,
  { migrator, orm, decisions }: { migrator: Migrator; orm: MikroORM; decisions: string[] },
  logger: Logger | undefined,
): Promise<string[]> {
  await assertSchema(orm);
  const pending = (await migrator.getPending()).map(({ name }) => name);
  for (const migration of pending) {
    const migrationRun = { url, orm, migration, logger };
    const { steps = [], compatibility } = await declaredBy(migration);
    for (const step of steps) await runStep(migrationRun, step);
    await inTransaction(migrationRun, async (em) => {
      decisions.length = 0;
      await migrator.up({ transaction: em.getTransactionContext()!, migrations: [migration] });
      if (compatibility === undefined) return;
      // The column is for an older release that finds an unknown migration here.
      await em.execute('alter table migration add column if not exists rolling boolean');
      await em.execute('update migration set rolling = ? where name = ?', [compatibility.rolling, migration]);
    });
    logger?.info({ migration }, 'migrated');
    for (const decision of decisions) logger?.warn({ decision }, 'a migration has changed rows that did not fit');
  }
  return pending;
}

/** @throws DatabaseNotReady if the tables would be created in another schema, or could not be created */
async function assertSchema(orm: MikroORM): Promise<void> {
  const [row] = await orm.em
    .fork()
    .execute<
      Array<{ schema: string | null; login: string; database: string; mayCreate: boolean | null; exists: boolean }>
    >(
      `select current_schema() as schema, current_user as login, current_database() as database,
              has_schema_privilege(to_regnamespace('public'), 'create') as "mayCreate",
              to_regclass('public.migration') is not null as exists`,
    );
  const { schema, login, database, mayCreate, exists } = row!;
  if (mayCreate === null)
    throw new DatabaseNotReady(
      `The database ${database} has no schema public: \`create schema public authorization ${login}\`.`,
    );
  if (!mayCreate && !exists) {
    throw new DatabaseNotReady(
      `permission denied for schema public: the login ${login} may not create tables in the database ${database}. As superuser, or as the owner of the database, in that database: \`grant create, usage on schema public to ${login}\`.`,
    );
  }
  if (schema !== 'public') {
    throw new DatabaseNotReady(
      `search_path leads to the schema ${schema}, Laurel's tables are in public, and behind a pooler a migration cannot change it: \`alter database ${database} reset search_path\`, the same for the login, or migrate with a DATABASE_URL that leads to PostgreSQL itself.`,
    );
  }
}

/** The names of the migrations that the database at `url` lacks. It may run while another process migrates. */
export async function pendingMigrations(url: string): Promise<string[]> {
  return withMigrator({ clientUrl: url, entities: [] }, async (migrator) => {
    const pending = await migrator.getPending();
    return pending.map(({ name }) => name);
  });
}

/**
 * Whether the entities differ from what the migrations build, because a migration is missing. It compares with the snapshot beside the
 * migrations and needs no database.
 */
export async function entitiesHaveDrifted(entities: NonNullable<Options['entities']>): Promise<boolean> {
  return withMigrator({ dbName: 'laurel', entities }, (migrator) => migrator.checkSchema());
}

/**
 * Writes the migration that takes the snapshot to the entities, and the new snapshot.
 * @returns the name of the file, or undefined without differences
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

/**
 * A `down` would lose rows. The author decides the declaration of the file; `npm run check` refuses a file without one.
 */
class ForwardOnly extends TSMigrationGenerator {
  override generateMigrationFile(className: string, { up }: { up: string[] }): string {
    const [imports = '', ...rest] = super.generateMigrationFile(className, { up, down: [] }).split('\n');
    return [
      imports,
      `import type { Compatibility } from '../migrating/step.ts';`,
      '',
      'export const compatibility: Compatibility = { rolling: true };',
      ...rest,
    ].join('\n');
  }
}

async function withMigrator<T>(
  options: Pick<Options, 'clientUrl' | 'dbName' | 'entities'>,
  use: (migrator: Migrator, orm: MikroORM, decisions: string[]) => Promise<T>,
  watch?: ClientWatch,
): Promise<T> {
  const open = new Set<Client>();
  const decisions: string[] = [];
  let noneOpen: (() => void) | undefined;
  const onConnect = (client: Client) => {
    watch?.add(client);
    // Sent before everything else. A later statement reports its error.
    pinSession(client, { isUnlimited: true }).catch(() => {});
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
    driverOptions: ormPoolOptions(onConnect),
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
      // Switching them off needs a superuser.
      disableForeignKeys: false,
      silent: true,
    },
  });
  try {
    return await use(orm.migrator as Migrator, orm, decisions);
  } finally {
    // A transaction that cannot roll back, because its connection is lost, is never returned, and the pool waits for it.
    const ended = open.size === 0 ? undefined : new Promise<void>((resolve) => (noneOpen = resolve));
    await Promise.race([orm.close(true), ended]);
  }
}
