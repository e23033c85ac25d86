import type { ChildProcess } from 'node:child_process';

/** Processes that tests have started and that have not ended. */
const running = new Set<ChildProcess>();

/** Registers a process that must end with its test file, even after a failure or an early end of the run. */
export function noteStarted(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Kills the remaining processes. */
export function killStarted(): void {
  for (const child of running) child.kill('SIGKILL');
}
process.once('exit', killStarted);
