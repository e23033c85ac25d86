import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FloodData } from './flood-thread.ts';

/** A client that sends without a pause. */
export type Flood = {
  /** Stops it; returns the number of its events that were applied before their answers. */
  stop(): Promise<number>;
};

/**
 * Sends events of a client one by one, in batches and asynchronously, in a separate thread: an answer has up to 15 MB, and the measuring
 * thread must not wait while it is read.
 */
export function flood(baseUrl: string, apiKey: string): Flood {
  const workerData: FloodData = { baseUrl, apiKey };
  const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData });
  return {
    async stop() {
      const stopped = once(thread, 'message');
      thread.postMessage('stop');
      const [applied] = (await stopped) as [number];
      await thread.terminate();
      return applied;
    },
  };
}
