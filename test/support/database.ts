import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/persistence/database.ts';
import { copyDistributed, dropDistributed } from './citus.ts';
import { createDatabase, databaseName, dropDatabase } from './databases.ts';

/** A database of one test file. */
export type TestDatabase = {
  readonly db: Database;
  readonly url: string;
  /** Closes `db` and drops the database; for `afterAll`. */
  drop(): Promise<void>;
};

/** A new, migrated, empty database: real PostgreSQL, under the roles of production. */
export async function testDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl');
  const name = `laurel_test_${randomBytes(6).toString('hex')}`;
  const cluster = inject('cluster');
  const url = cluster
    ? await copyDistributed(cluster, name, databaseName(templateUrl))
    : await createDatabase(templateUrl, name, databaseName(templateUrl));
  const db = await openDatabase({ url, entities, poolMax: 10, ...options });
  return {
    db,
    url,
    async drop() {
      await db.close();
      await (cluster ? dropDistributed(cluster, url) : dropDatabase(templateUrl, url));
    },
  };
}

/** A client for tests that only need its existence. */
export async function newClient(db: Database, timeZone = 'UTC'): Promise<string> {
  const id = newId();
  await db.systemUnitOfWork((uow) =>
    uow.query('insert into client (id, name, time_zone) values ($1, $2, $3)', [id, `client ${id}`, timeZone]),
  );
  return id;
}
