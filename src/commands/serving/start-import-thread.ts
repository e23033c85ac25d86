import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { journalingOf } from '../../app/config.ts';

/** The settings of the thread's own connections. */
export type ImportThreadSettings = {
  readonly databaseUrl: string;
  readonly preparedStatements: boolean;
  readonly logLevel: string;
  /** The way in which the journal records events; false without a journal. */
  readonly journal: ReturnType<typeof journalingOf>;
};

/**
 * The heap in MiB. With a limit V8 collects garbage earlier. About 35 MiB are live, and a row may have 16 MiB. A young generation of 16 MiB
 * used less memory than one of 8 or 32: docs/decisions/0031.
 */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 160 };

/** Starts a thread with its own database connections that loads the waiting CSV files and then ends. */
export function startImportThread(settings: ImportThreadSettings, resourceLimits = LIMITS): Worker {
  return new Worker(new URL('../../app/import-thread.ts', import.meta.url), { workerData: settings, resourceLimits });
}
