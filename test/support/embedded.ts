import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';
import { migrate } from '../../src/persistence/migrate.ts';

/** The migrated PostgreSQL of a data folder (`.laurel`), with little memory because others run in parallel. */
export async function openEmbedded(dataFolder: string): Promise<EmbeddedPostgres> {
  const settings = { shared_buffers: '16MB' };
  const embedded = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), settings });
  await migrate(embedded.url);
  return embedded;
}
