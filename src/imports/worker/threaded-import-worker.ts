import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createImportPoller } from './import-poller.ts';
import type { ImportMachinery, ImportWorker } from './import-worker.ts';

/** Messages to the thread: a file is complete; or release the imports and stop. */
export type ToImportThread = 'wake' | 'stop';

/** Messages from the thread: webhooks of a client may be due. */
export type FromImportThread = { readonly deliveredTo: string };

export type ThreadedImportWorkerOptions = Pick<ImportMachinery, 'db' | 'dispatcher' | 'logger'> & {
  /** Starts a thread that loads all waiting files and then ends. */
  readonly startThread: () => Worker;
  /** Milliseconds between two polls; 1 s by default. */
  readonly pollMs?: number;
};

/**
 * Runs imports in a separate thread, which exists only while imports wait. The thread has its own heap limit (a million rows take 110 MiB),
 * so that a large file cannot crash the process: docs/decisions/0031.
 */
export function createThreadedImportWorker(options: ThreadedImportWorkerOptions): ImportWorker {
  const { db, dispatcher, logger, startThread, pollMs = 1_000 } = options;
  const poller = createImportPoller({ db, logger, pollMs, onSeen });
  let thread: Worker | undefined;

  function onSeen(clientIds: readonly string[]): void {
    if (clientIds.length === 0) return;
    if (thread === undefined) begin();
    else post('wake');
  }

  function begin(): void {
    thread = startThread()
      .on('message', ({ deliveredTo }: FromImportThread) => dispatcher.wake(deliveredTo))
      .on('error', (error) => logger.error({ err: error }, 'imports: the thread that loads files has died'))
      .on('exit', () => {
        thread = undefined;
        // A file may have been completed while the thread ended.
        poller.poll();
      });
  }

  function post(message: ToImportThread): void {
    thread?.postMessage(message);
  }

  return {
    start: poller.start,
    wake: poller.poll,
    async stop(withinMs) {
      const cut = withinMs === undefined ? undefined : setTimeout(() => void thread?.terminate(), withinMs);
      try {
        await poller.stop();
        if (thread === undefined) return;
        const ended = once(thread, 'exit');
        post('stop');
        await ended;
      } finally {
        clearTimeout(cut);
      }
    },
  };
}
