import type { ChildProcess } from 'node:child_process';

/** Processes that tests have started and that have not ended. */
const running = new Set<ChildProcess>();

/** Notes a process that is to be gone when its test file ends, also where a test fails or the run ends early. */
export function noteStarted(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Kills those that are left. */
export function killStarted(): void {
  for (const child of running) child.kill('SIGKILL');
}
process.once('exit', killStarted);
