import { readFileSync } from 'node:fs';

/** Clock ticks of a second in `/proc`, the same on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of the processor: of this process, and on Linux of those that it started and that have ended. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + (process.platform === 'linux' ? endedChildrenSeconds() : 0);
}

function endedChildrenSeconds(): number {
  // `cutime` and `cstime`: the 16th and 17th field. The second one is a name, which may have spaces and ends with the last `)`.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
