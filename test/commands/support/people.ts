import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');

/** The result of a command line. */
export type Ran = { readonly code: number | null; readonly out: string; readonly errors: string };

/** A folder of a person with a program `laurel` in the path, and its own profiles. */
export type Person = {
  readonly folder: string;
  /** Runs a line of a shell in the folder. */
  sh(line: string, env?: NodeJS.ProcessEnv, input?: string): Promise<Ran>;
  close(): Promise<void>;
};

/** @param env the environment of every command */
export async function newPerson(env: NodeJS.ProcessEnv): Promise<Person> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-person-'));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/laurel'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(join(folder, 'bin/laurel'), 0o755);
  const own = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, XDG_CONFIG_HOME: folder };
  return {
    folder,
    async sh(line, more = {}, input = '') {
      const child = spawn('/bin/sh', ['-c', line], { cwd: folder, env: { ...own, ...env, ...more } });
      child.stdin.end(input);
      const read = { out: '', errors: '' };
      child.stdout.on('data', (chunk: Buffer) => (read.out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (read.errors += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, ...read };
    },
    close: () => rm(folder, { recursive: true }),
  };
}
