import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/persistence/postgres/embedded-postgres.ts';

/** What a benchmark works with. All of it is gone afterwards. */
export type Workbench = {
  /** An empty folder. */
  readonly folder: string;
  /** A PostgreSQL of its own with the settings of production, durability included, and an empty database. */
  readonly databaseUrl: string;
  /** What to close when the benchmark ends, whatever its outcome; the last one first. */
  readonly cleanUps: (() => Promise<void>)[];
};

/** Lays a workbench for `work`, and clears it. */
export async function withWorkbench<T>(name: string, work: (workbench: Workbench) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), `laurel-bench-${name}-${process.pid}`);
  const cleanUps = [() => rm(folder, { recursive: true, force: true })];
  try {
    // Others may pass: PostgreSQL runs as a user of its own where this process is root.
    await mkdir(folder, { mode: 0o755 });
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
    cleanUps.push(() => postgres.close());
    return await work({ folder, databaseUrl: postgres.url, cleanUps });
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}
