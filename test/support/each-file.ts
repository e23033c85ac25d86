// The hooks of vitest for every test file, also in a process that has run others before.
import { afterAll, afterEach, beforeEach } from 'vitest';
import { processorSeconds } from './processor-seconds.ts';
import { killStarted } from './started-processes.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of the test's process, including its ended child processes. */
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
// A failed test and a run that ends early leave no processes behind.
afterAll(killStarted);
