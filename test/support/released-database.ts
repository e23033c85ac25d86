import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Logger } from 'pino';
import { inject } from 'vitest';
import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { migrate } from '../../src/persistence/migrate.ts';
import type { TestDatabase } from './database.ts';
import { createDatabase, dropDatabase } from './databases.ts';

/** A call and its answer by an earlier release, as `.ci/release/fixture.ts` recorded them. */
export type PlayedCall = {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly status: number;
  readonly answer: unknown;
};

/** The calls made on an earlier release before its database was dumped. */
export type Played = {
  readonly clientId: string;
  readonly secretKeys: string;
  readonly operations: readonly PlayedCall[];
  readonly waiting: PlayedCall;
  readonly deadTrigger: PlayedCall;
};

/** Changes to the database of an earlier release before its migration, and the logger for the migration. */
export type ReleasedOptions = {
  readonly prepare?: (client: pg.Client) => Promise<unknown>;
  readonly logger?: Logger;
};

/** The database of an earlier release with its rows, and the migrations that it needed. */
export async function releasedDatabase(
  version: string,
  { prepare, logger }: ReleasedOptions = {},
): Promise<{ database: TestDatabase; played: Played; migrations: string[] }> {
  const fixture = (name: string) =>
    readFileSync(new URL(`../fixtures/${version}/${name}`, import.meta.url), { encoding: 'utf8' });
  const templateUrl = inject('templateUrl');
  const url = await createDatabase(templateUrl, `laurel_released_${randomBytes(6).toString('hex')}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(fixture('database.sql'));
  // The dump leaves settings in the session. The role may see the rows of every client; the login is bound by the policies.
  await client.query('reset all; set role laurel_system');
  await prepare?.(client);
  await client.end();
  const migrations = await migrate(url, logger);
  const db = await openDatabase({ url, entities, poolMax: 10 });
  return {
    migrations,
    played: JSON.parse(fixture('played.json')) as Played,
    database: {
      db,
      url,
      async drop() {
        await db.close();
        await dropDatabase(templateUrl, url);
      },
    },
  };
}
