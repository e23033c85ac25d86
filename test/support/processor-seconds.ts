import { readFileSync } from 'node:fs';

/** Clock ticks per second in `/proc`, the same on every Linux that Node supports. */
const TICKS = 100;

/** Seconds of processor time of this process; on Linux also of its ended child processes. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + (process.platform === 'linux' ? endedChildrenSeconds() : 0);
}

function endedChildrenSeconds(): number {
  // `cutime` and `cstime` are the 16th and 17th field. The second field is a name, which may have spaces and ends with the last `)`.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
