import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SCRIPT = join(import.meta.dirname, 'events.lua');

/** Of wrk: it shares the processors with what it measures. */
const THREADS = 1;

/** What wrk is to send. */
export type WrkTask = {
  readonly baseUrl: string;
  readonly connections: number;
  readonly seconds: number;
  /** For events.lua. */
  readonly env: { readonly API_KEY: string; readonly RUN: string; readonly ACCOUNTS: string };
};

/** Requests that were answered with success, and how many in a second. */
export type WrkResult = { readonly answered: number; readonly perSecond: number };

/**
 * Sends events with wrk, a load generator in C that knows nothing of this repository.
 * @throws Error if it is not on the PATH, if an answer was no success, or if a connection failed
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
