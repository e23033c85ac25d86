import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SCRIPT = join(import.meta.dirname, 'events.lua');

/** Threads of wrk: it shares the processors with the measured service. */
const THREADS = 1;

/** The task of wrk. */
export type WrkTask = {
  readonly baseUrl: string;
  readonly connections: number;
  readonly seconds: number;
  /** The variables of events.lua. */
  readonly env: { readonly API_KEY: string; readonly RUN: string; readonly ACCOUNTS: string };
};

/** The number of successful answers, in total and per second. */
export type WrkResult = { readonly answered: number; readonly perSecond: number };

/**
 * Sends events with wrk, a load generator in C that is independent of this repository.
 * @throws Error if it is not on the PATH, an answer was no success, or a connection failed
 */
export async function wrk({ baseUrl, connections, seconds, env }: WrkTask): Promise<WrkResult> {
  const { stdout } = await run(
    'wrk',
    ['-t', `${THREADS}`, '-c', `${connections}`, '-d', `${seconds}s`, '-s', SCRIPT, baseUrl],
    { env: { ...process.env, ...env } },
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('This benchmark needs wrk on the PATH: `apt-get install wrk`, `brew install wrk`.');
  });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk was not answered as it should be:\n${stdout}`);
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  return { answered: figure(/^ *(\d+) requests in/m), perSecond: figure(/^Requests\/sec: *([\d.]+)/m) };
}
