import type { Logger } from 'pino';
import type { Database } from '../../persistence/database.ts';
import { createPoller, type Poller } from '../../persistence/polling/poller.ts';
import { clientsWithImports } from './jobs.queries.ts';

/** The dependencies of a poller of imports. */
export type ImportPollerOptions = {
  readonly db: Database;
  readonly logger: Logger;
  /** Milliseconds between two polls. */
  readonly pollMs: number;
  /** Called after each poll with the clients that have imports without a worker. */
  readonly onSeen: (clientIds: readonly string[]) => void;
};

/** Polls for imports without a worker. */
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
