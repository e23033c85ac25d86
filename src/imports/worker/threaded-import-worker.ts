import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createImportPoller } from './import-poller.ts';
import type { ImportMachinery, ImportWorker } from './import-worker.ts';

/** What the thread is told: that a file is complete, or to let go of what it loads and to end. */
export type ToImportThread = 'wake' | 'stop';

/** What the thread tells: that webhooks of a client may wait to be sent. */
export type FromImportThread = { readonly deliveredTo: string };

export type ThreadedImportWorkerOptions = Pick<ImportMachinery, 'db' | 'dispatcher' | 'logger'> & {
  /** Starts a thread that loads what waits, until nothing does. */
  readonly startThread: () => Worker;
  /** Milliseconds between two looks; 1 s by default. */
  readonly pollMs?: number;
};

/**
 * Loads the files that wait in a thread of its own, which is there only while there are any. Its heap can be bounded, so that
 * a million rows take 110 MiB instead of the 240 that 400,000 took in the thread that serves, and a file that is too much for
 * it does not end the process: docs/decisions/0031.
 */
export function createThreadedImportWorker(options: ThreadedImportWorkerOptions): ImportWorker {
  const { db, dispatcher, logger, startThread, pollMs = 1_000 } = options;
  const poller = createImportPoller({ db, logger, pollMs, onSeen });
  let thread: Worker | undefined;

  function onSeen(clientIds: readonly string[]): void {
    if (clientIds.length === 0) return;
    if (thread === undefined) begin();
    else tell('wake');
  }

  function begin(): void {
    thread = startThread()
      .on('message', ({ deliveredTo }: FromImportThread) => dispatcher.wake(deliveredTo))
      .on('error', (error) => logger.error({ err: error }, 'imports: the thread that loads files has died'))
      .on('exit', () => {
        thread = undefined;
        // A file may have been completed while it ended.
        poller.look();
      });
  }

  function tell(message: ToImportThread): void {
    thread?.postMessage(message);
  }

  return {
    start: poller.start,
    wake: poller.look,
    async stop(withinMs) {
      const cut = withinMs === undefined ? undefined : setTimeout(() => void thread?.terminate(), withinMs);
      try {
        await poller.stop();
        if (thread === undefined) return;
        const ended = once(thread, 'exit');
        tell('stop');
        await ended;
      } finally {
        clearTimeout(cut);
      }
    },
  };
}
