import { type ResourceLimits, Worker } from 'node:worker_threads';

/** The settings with which the thread opens its own connections. */
export type ImportThreadSettings = {
  readonly databaseUrl: string;
  readonly preparedStatements: boolean;
  readonly logLevel: string;
};

/**
 * MiB of its heap. With a limit V8 collects garbage earlier. About 35 MiB are live, and a row may have 16. A young
 * generation of 16 took the least memory of 8, 16 and 32: docs/decisions/0031.
 */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 160 };

/** Starts a thread that opens the database for itself, loads the CSV files that wait, and ends when none does. */
export function startImportThread(settings: ImportThreadSettings, resourceLimits = LIMITS): Worker {
  return new Worker(new URL('../../app/import-thread.ts', import.meta.url), { workerData: settings, resourceLimits });
}
