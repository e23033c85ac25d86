import type { Logger } from 'pino';
import type { Database } from '../../persistence/database.ts';
import { createPoller, type Poller } from '../../persistence/polling/poller.ts';
import { clientsWithImports } from './jobs.queries.ts';

/** The dependencies of a poller of imports. */
export type ImportPollerOptions = {
  readonly db: Database;
  readonly logger: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  /** Told after each look which clients have imports that nobody works on. */
  readonly onSeen: (clientIds: readonly string[]) => void;
};

/** Looks for imports that nobody works on. */
export function createImportPoller({ db, logger, pollMs, onSeen }: ImportPollerOptions): Poller {
  return createPoller({
    logger,
    everyMs: { min: pollMs, max: pollMs },
    failure: 'imports: could not look for files',
    lookUp: () => db.systemUnitOfWork(clientsWithImports),
    onFound(clientIds) {
      onSeen(clientIds);
      return clientIds.length > 0;
    },
  });
}
