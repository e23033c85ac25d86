import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The resident memory of a process in MiB. Only Linux reports it. */
export async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
}

/** The processor seconds of a process since its start. Only Linux reports it. */
export async function processorSecondsOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / CLOCK_TICKS;
}

/** Ticks per second; the same on every present Linux. */
const CLOCK_TICKS = 100;
