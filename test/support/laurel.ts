import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** The default secret key of commands: 32 bytes, base64. */
export const SECRET_KEY = Buffer.alloc(32, 'test').toString('base64');

/** The result of a command. */
export type Ended = {
  /** The exit code; null if the command began to serve and was stopped. */
  readonly code: number | null;
  /** The output on both streams. */
  readonly words: string;
  /** Whether it began to serve. It is stopped then. */
  readonly served: boolean;
};

/**
 * Runs `laurel <args>` in a separate process, as an operator does.
 * @param env settings as in docs/operations.md; of this process's environment only PATH is passed on
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
