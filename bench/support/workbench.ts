import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';

/** The folder and the database of a benchmark, deleted afterwards. */
export type Workbench = {
  /** An empty folder. */
  readonly folder: string;
  /** A separate PostgreSQL with the settings of production, durability included, and an empty database. */
  readonly databaseUrl: string;
  /** Functions that run after the benchmark, with any result, in reverse order. */
  readonly cleanUps: (() => Promise<void>)[];
};

/** Creates a workbench for `work`, and removes it. */
export async function withWorkbench<T>(name: string, work: (workbench: Workbench) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), `laurel-bench-${name}-${process.pid}`);
  const cleanUps = [() => rm(folder, { recursive: true, force: true })];
  try {
    // Other users may pass: PostgreSQL runs as another user if this process is root.
    await mkdir(folder, { mode: 0o755 });
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
    cleanUps.push(() => postgres.close());
    return await work({ folder, databaseUrl: postgres.url, cleanUps });
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}
