import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** The secret key of commands that are told no other: 32 bytes, base64. */
export const SECRET_KEY = Buffer.alloc(32, 'test').toString('base64');

/** How a command ended. */
export type Ended = {
  /** Null if it had to be stopped because it served. */
  readonly code: number | null;
  /** What it printed on both streams. */
  readonly words: string;
  /** Whether it began to serve. Then it was stopped at once. */
  readonly served: boolean;
};

/**
 * Runs `laurel <args>` in a process of its own, as an operator does.
 * @param env settings as in docs/operations.md; nothing of this process's environment but PATH is passed on
 */
export async function laurel(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LAUREL_DATA: tmpdir(),
      LAUREL_SECRET_KEYS: SECRET_KEY,
      ...env,
    },
  });
  let words = '';
  let served = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      words += chunk.toString();
      if (served || !words.includes('"laurel serves"')) return;
      served = true;
      child.kill('SIGKILL');
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, words, served };
}
