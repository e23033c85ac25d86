import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../persistence/database.ts';
import { createPoller } from '../persistence/polling/poller.ts';
import { clientsToNumber } from './change-batch.queries.ts';
import { numberChanges } from './number-changes.ts';

/** Numbers the changes of all clients. Any number of processes may run one on the same database. */
export type NumberingWorker = {
  /** Starts to look for changes of dead processes, and of commands. */
  start(): void;
  /** Reports that a client has changes to number. It is cheap. */
  wake(clientId: string): void;
  /** Numbers no more, and waits for running transactions. Another process numbers the rest. */
  stop(): Promise<void>;
};

/** Milliseconds between two rounds of a client: the changes of many transactions share one. */
const PAUSE_MS = 20;

/** Milliseconds between two looks for changes that nobody reported. */
const LOOK_MS = { min: 500, max: 1_000 };

/** The worker of a process. */
export function createNumberingWorker({
  db,
  logger,
  onNumbered,
}: {
  readonly db: Pick<Database, 'unitOfWork' | 'systemUnitOfWork'>;
  readonly logger: Logger;
  /** Called when this process has given numbers. */
  readonly onNumbered?: () => void;
}): NumberingWorker {
  /** The running rounds of each client, and whether there was a report since the last one began. */
  const running = new Map<string, { reported: boolean; readonly ended: Promise<void> }>();
  let stopped = false;
  const poller = createPoller({
    logger,
    everyMs: LOOK_MS,
    failure: 'changes: those without a number could not be read',
    lookUp: () => db.systemUnitOfWork(clientsToNumber),
    onFound(clientIds) {
      clientIds.forEach(wake);
      return clientIds.length > 0;
    },
  });

  function wake(clientId: string): void {
    if (stopped) return;
    const present = running.get(clientId);
    if (present) present.reported = true;
    else running.set(clientId, { reported: true, ended: run(clientId) });
  }

  async function run(clientId: string): Promise<void> {
    // The entry of this client exists after the first turn.
    await Promise.resolve();
    try {
      for (const state = running.get(clientId)!; state.reported;) {
        state.reported = false;
        const found = await numberChanges(db, clientId);
        if (found !== 'busy') onNumbered?.();
        if (stopped) return;
        // The holder of the feed may have looked before the reported commit.
        if (found !== 'done') state.reported = true;
        if (found !== 'more') await sleep(PAUSE_MS);
      }
    } catch (error) {
      logger.error({ err: error, clientId }, 'changes: they could not be numbered');
    } finally {
      running.delete(clientId);
    }
  }

  return {
    start: () => poller.start(),
    wake,
    async stop() {
      stopped = true;
      void poller.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
