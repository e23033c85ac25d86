import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** MiB of a process that are in memory. Only Linux tells. */
export async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
}
