import { readdir, readFile } from 'node:fs/promises';
import { withClient } from '../support/with-client.ts';

/** Clock ticks per second in /proc, the same for every Linux kernel. */
const TICKS = 100;

/** Processor time and memory of the PostgreSQL at an address on this machine. Only Linux shows other processes. */
export type PostgresProcesses = {
  /** Seconds of processor time of all its processes, including ended ones. */
  processorSeconds(): Promise<number>;
  /** Bytes of each process that serves a connection of the application `laurel`, without shared memory. */
  bytesOfConnections(): Promise<number[]>;
};

/**
 * @param url address with a login that may see all sessions
 */
export async function postgresProcesses(url: string): Promise<PostgresProcesses> {
  const postmaster = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return (await statOf(rows[0]!.pid))!.parent;
  });
  return {
    async processorSeconds() {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
      const stats = await Promise.all(pids.map(statOf));
      return stats
        .filter((stat) => stat && (stat.pid === postmaster || stat.parent === postmaster))
        .reduce((sum, stat) => sum + stat!.seconds, 0);
    },
    bytesOfConnections: () =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'laurel'`,
        );
        return Promise.all(rows.map(({ pid }) => privateBytesOf(pid)));
      }),
  };
}

type Stat = { readonly pid: number; readonly parent: number; readonly seconds: number };

/** The figures of a process; undefined if it has ended. Its time includes that of its ended children. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), seconds: ticks / TICKS };
}

async function privateBytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].map(([, number]) => Number(number));
  return kilobytes.reduce((sum, number) => sum + number, 0) * 1024;
}
