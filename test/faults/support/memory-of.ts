import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** MiB of a process that are in memory. Only Linux tells. */
export async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
}

/** Seconds of the processor that a process has taken since it began. Only Linux tells. */
export async function processorSecondsOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / CLOCK_TICKS;
}

/** Per second; the same on every Linux of today. */
const CLOCK_TICKS = 100;
