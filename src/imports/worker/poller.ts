import type { Logger } from 'pino';
import type { Database } from '../../persistence/database.ts';
import { clientsWithImports } from './jobs.queries.ts';

/** Looks for imports that nobody works on: now and then, and when it is told to; never twice at once. */
export type Poller = {
  /** Looks at once, and from then on now and then. */
  start(): void;
  /** Looks at once, or once more when the look that is under way has ended: what it was told of may have come too late for that. */
  look(): void;
  /** Resolves when the last look has ended. */
  stop(): Promise<void>;
};

/** What a poller needs. */
export type PollerOptions = {
  readonly db: Database;
  readonly logger: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  /** Told after each look which clients have imports that nobody works on. */
  readonly onSeen: (clientIds: readonly string[]) => void;
};

/** Looks until it is stopped. A look that fails is logged and nothing else: the next one comes. */
export function createPoller({ db, logger, pollMs, onSeen }: PollerOptions): Poller {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let stopped = false;

  async function lookOnce(): Promise<void> {
    try {
      const seen = await db.systemUnitOfWork(clientsWithImports);
      if (!stopped) onSeen(seen);
    } catch (error) {
      logger.error({ err: error }, 'imports: could not look for files');
    }
  }

  function look(): void {
    if (stopped) return;
    if (looking !== undefined) {
      lookAgain = true;
      return;
    }
    lookAgain = false;
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (lookAgain) look();
    });
  }

  return {
    start() {
      timer ??= setInterval(look, pollMs).unref();
      look();
    },
    look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
