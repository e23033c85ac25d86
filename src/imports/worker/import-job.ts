import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Database } from '../../persistence/database.ts';
import type { CsvImport } from '../csv-import.ts';
import type { Run } from './jobs.queries.ts';

/** An import that this process has claimed. */
export type ImportJob = {
  readonly db: Database;
  readonly clientId: string;
  readonly source: CsvImport;
  readonly run: Run;
  readonly clock: Clock;
  /** Milliseconds without a sign of life after which another process takes over. */
  readonly leaseMs: number;
  /** Milliseconds that a batch waits for a locked row. */
  readonly lockMs: number;
  /** Ends the work between two batches. */
  readonly signal: AbortSignal;
  /** Called when webhooks may be due. */
  readonly onDelivered: () => void;
  readonly catalogs: Catalogs;
  /** The way in which the journal records events; false without a journal. */
  readonly journal: Journaling | false | undefined;
};
