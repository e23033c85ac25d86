import { type ResourceLimits, Worker } from 'node:worker_threads';

/** What the thread must be told to open what the process has open. */
export type ImportThreadSettings = {
  readonly databaseUrl: string;
  readonly preparedStatements: boolean;
  readonly logLevel: string;
};

/**
 * Mebibytes of its heap. V8 lets garbage lie until a heap has grown by its own size; with bounds it collects earlier. What
 * lives is some 35, and a row may have 16 MiB. Of young generations of 8, 16 and 32 the one of 16
 * took least: 111 MiB above an idle process for 400,000 rows, the others 129 to 133, in one run each.
 */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 160 };

/** Starts a thread that opens the database for itself, loads the CSV files that wait, and ends when none does. */
export function startImportThread(settings: ImportThreadSettings, resourceLimits = LIMITS): Worker {
  return new Worker(new URL('../../app/import-thread.ts', import.meta.url), { workerData: settings, resourceLimits });
}
