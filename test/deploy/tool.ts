import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable } from '../support/is-executable.ts';

/** Whether the machine has this command. */
export const has = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(':'), '/usr/bin'].some((folder) => isExecutable(join(folder, name)));

/** Runs a command and returns its whole output; rejects with the output for a failed exit code. */
export async function outputOf(command: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { maxBuffer: 2 ** 26 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}
