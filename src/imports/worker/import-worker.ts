import type { Logger } from 'pino';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { createImportPoller } from './import-poller.ts';
import { claimImport } from './jobs.queries.ts';
import { type ImportTimeouts, requeueImport, IMPORT_TIMEOUTS } from './requeue-import.ts';
import { finishImport, runImport } from './run-import.ts';
import { deleteFile } from '../staged-files.queries.ts';

/** Loads waiting files. Any number of processes may run one on the same database. */
export type ImportWorker = {
  /** Starts polling for imports for which no caller wakes it: those of other processes, and of dead ones. */
  start(): void;
  /** Reports a complete file; cheap, and harmless without one. */
  wake(): void;
  /**
   * Finishes the running batches and releases their imports for other processes.
   * @param withinMs milliseconds after which a worker in a separate thread is terminated; its current batch is then not stored
   */
  stop(withinMs?: number): Promise<void>;
};

/** The dependencies of an import worker. */
export type ImportMachinery = {
  readonly db: Database;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly catalogs: Catalogs;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

export type ImportWorkerOptions = ImportMachinery & {
  /** Milliseconds after which another process takes over an import without a sign of life; 15 s by default. */
  readonly leaseMs?: number;
  /** Milliseconds between two polls; 1 s by default. */
  readonly pollMs?: number;
  /** Milliseconds before the retry of a failed import; 2 s by default. */
  readonly retryMs?: number;
  /** The limits of waiting; {@link IMPORT_TIMEOUTS} by default. */
  readonly timeouts?: ImportTimeouts;
  /** Called when no files wait. */
  readonly onIdle?: () => void;
};

/** The most files loaded at once, of different clients, so that a long file does not delay all others. Each holds one connection. */
const AT_ONCE = 2;

/** Unexpected failures in a row after which an import is FAILED. A dead process counts as one. */
const FAILURES_MAX = 5;

/** Milliseconds before the retry of a failed import. */
const RETRY_MS = 2_000;

/** The worker of this thread. The reasons against a job library are in docs/decisions/0031. */
export function createImportWorker(options: ImportWorkerOptions): ImportWorker {
  const { db, dispatcher, clock, logger, catalogs, journal, onIdle } = options;
  const { leaseMs = 15_000, pollMs = 1_000, retryMs = RETRY_MS, timeouts = IMPORT_TIMEOUTS } = options;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Clients with waiting files, each once. If another process has claimed them meanwhile, no import is left to claim. */
  const queue = createFairQueue<string>();
  const poller = createImportPoller({ db, logger, pollMs, onSeen: enqueue });

  function enqueue(clientIds: readonly string[]): void {
    for (const each of clientIds) {
      if (!running.has(each) && queue.waitingOf(each).length === 0) queue.add(each, each);
    }
    beginNext();
  }

  function beginNext(): void {
    while (running.size < AT_ONCE && !stopping.signal.aborted) {
      const clientId = queue.next(() => true);
      if (clientId === undefined) break;
      queue.take(clientId, 1);
      running.set(clientId, workFor(clientId));
    }
    if (running.size === 0) onIdle?.();
  }

  async function workFor(clientId: string): Promise<void> {
    const hasWorked = await work(clientId).catch((error: unknown) => {
      logger.error({ err: error, clientId }, 'imports: the file stays and is tried again');
      return false;
    });
    running.delete(clientId);
    // The client may have further files; they follow those of other clients.
    if (hasWorked) poller.poll();
    else beginNext();
  }

  /** Loads one file of the client; false without one. */
  async function work(clientId: string): Promise<boolean> {
    const runner = newId();
    const claimed = await db.unitOfWork(clientId, (uow) => claimImport(uow, runner, leaseMs));
    if (claimed === undefined) return false;
    const { source, failures } = claimed;
    const run = { importId: source.id, runner };
    const onDelivered = () => dispatcher.wake(clientId);
    const { lockMs } = timeouts;
    const means = { db, clock, catalogs, journal, signal: stopping.signal };
    const job = { ...means, clientId, source, run, leaseMs, lockMs, onDelivered };
    const log = logger.child({ clientId, importId: source.id });
    log.info({ type: source.type, position: source.position, failures }, 'import: begins');
    try {
      if (failures < FAILURES_MAX) await runImport(job);
      else await finishImport(job, GIVEN_UP);
      log.info('import: has ended');
      await deleteFile(db, clientId, source.id);
    } catch (error) {
      await requeueImport(job, error, { log, timeouts, retryMs });
    }
    return true;
  }

  return {
    start: poller.start,
    wake: poller.poll,
    async stop() {
      stopping.abort();
      await poller.stop();
      await Promise.all(running.values());
    },
  };
}

/** The message about an import that failed too often. */
const GIVEN_UP =
  'The service failed to go on behind the rows that were read; its log tells why, under the id of this import.';
