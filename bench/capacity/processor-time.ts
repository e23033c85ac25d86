import { readdir, readFile } from 'node:fs/promises';
import { withClient } from '../support/with-client.ts';

/** Clock ticks in a second: what Linux shows to programs, whatever its kernel counts in. */
const TICKS = 100;

/** Processor time and memory of the PostgreSQL behind an address on this machine. Only Linux tells of other processes. */
export type PostgresProcesses = {
  /** Seconds of processor time of all its processes, those that have ended included. */
  processorSeconds(): Promise<number>;
  /** Bytes of each process that serves a connection of the application `laurel` and that it shares with no other. */
  bytesOfConnections(): Promise<number[]>;
};

/** @param url of a login that may see all sessions */
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

/** Undefined of a process that has ended meanwhile. The time of a process includes that of its children that have ended. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name, in parentheses, may have blanks of its own.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), seconds: ticks / TICKS };
}

async function privateBytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].map(([, number]) => Number(number));
  return kilobytes.reduce((sum, number) => sum + number, 0) * 1024;
}
