import type { Logger } from 'pino';
import type { Clock } from '../../kernel/time/clock.ts';
import { createFairQueue } from '../../kernel/concurrency/fair-queue.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { createImportPoller } from './import-poller.ts';
import { claimImport } from './jobs.queries.ts';
import { type ImportTimeouts, requeueImport, IMPORT_TIMEOUTS } from './requeue-import.ts';
import { end, runImport } from './run-import.ts';
import { deleteFile } from '../staged-files.queries.ts';

/** Loads the files that wait. Any number of processes may run one on the same database. */
export type ImportWorker = {
  /** Begins to look for imports that nobody wakes it for: those of other processes, and those whose process died. */
  start(): void;
  /** Tells that a file is complete; cheap, and harmless when none is. */
  wake(): void;
  /**
   * Finishes the batches that run and lets other processes go on with their files.
   * @param withinMs milliseconds after which a worker in a separate thread is terminated; its current batch is then not
   *   stored
   */
  stop(withinMs?: number): Promise<void>;
};

/** The dependencies of an import worker. */
export type ImportMachinery = {
  readonly db: Database;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type ImportWorkerOptions = ImportMachinery & {
  /** Milliseconds after which an import of a process that shows no sign of life is taken over; 15 s by default. */
  readonly leaseMs?: number;
  /** Milliseconds between two looks; 1 s by default. */
  readonly pollMs?: number;
  /** Milliseconds before an import that failed is tried again; 2 s by default. */
  readonly retryMs?: number;
  /** Towards what an import has to wait for; {@link IMPORT_TIMEOUTS} by default. */
  readonly timeouts?: ImportTimeouts;
  /** Called when there is nothing to load at present. */
  readonly onIdle?: () => void;
};

/** Files that are loaded at once, of different clients: a long one does not hold up a second. Each holds one connection. */
const AT_ONCE = 2;

/** Failures in a row, none of them foreseen, after which an import is FAILED. A process that died counts as one. */
const FAILURES_MAX = 5;

/** Milliseconds before an import that failed is tried again. */
const RETRY_MS = 2_000;

/** The worker of this thread. Why not a job library: docs/decisions/0031. */
export function createImportWorker(options: ImportWorkerOptions): ImportWorker {
  const { db, dispatcher, clock, logger, onIdle } = options;
  const { leaseMs = 15_000, pollMs = 1_000, retryMs = RETRY_MS, timeouts = IMPORT_TIMEOUTS } = options;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Clients with files that wait, each once. Another process may have taken them meanwhile: then there is nothing to claim. */
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
    // There may be another of its files, behind those of the other clients.
    if (hasWorked) poller.look();
    else beginNext();
  }

  /** Loads one file of the client; false if there is none. */
  async function work(clientId: string): Promise<boolean> {
    const runner = newId();
    const claimed = await db.unitOfWork(clientId, (uow) => claimImport(uow, runner, leaseMs));
    if (claimed === undefined) return false;
    const { source, failures } = claimed;
    const run = { importId: source.id, runner };
    const onDelivered = () => dispatcher.wake(clientId);
    const { lockMs } = timeouts;
    const job = { db, clientId, source, run, clock, leaseMs, lockMs, signal: stopping.signal, onDelivered };
    const log = logger.child({ clientId, importId: source.id });
    log.info({ type: source.type, position: source.position, failures }, 'import: begins');
    try {
      if (failures < FAILURES_MAX) await runImport(job);
      else await end(job, GIVEN_UP);
      log.info('import: has ended');
      await deleteFile(db, clientId, source.id);
    } catch (error) {
      await requeueImport(job, error, { log, timeouts, retryMs });
    }
    return true;
  }

  return {
    start: poller.start,
    wake: poller.look,
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
