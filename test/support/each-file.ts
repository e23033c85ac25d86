// What vitest runs for every test file, also in a process that has run others before.
import { afterAll, afterEach, beforeEach } from 'vitest';
import { processorSeconds } from './processor-seconds.ts';
import { killStarted } from './started-processes.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of the processor that the test's process took, with the processes that it started and saw end. */
    processorS?: number;
  }
}

let begun = 0;

beforeEach(() => {
  begun = processorSeconds();
});
afterEach(({ task }) => {
  task.meta.processorS = processorSeconds() - begun;
});
// A test that fails, and a run that ends early, leave nothing behind.
afterAll(killStarted);
