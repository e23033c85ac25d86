// Finds the Python that packs and tests `packages/python`. It is plain JavaScript because setup.mjs imports it.
import { spawnSync } from 'node:child_process';

/** Prints the interpreter and the tag of its packages, if it is new enough and can make environments. */
const PROBE = [
  'import sys, sysconfig, pip, venv',
  'assert sys.version_info >= (3, 10)',
  'print(sys.executable)',
  'print(sys.implementation.cache_tag, sysconfig.get_platform())',
].join('\n');

/**
 * The first Python of LAUREL_PYTHON and PATH that is 3.10 or later and has pip and venv.
 * @returns {{ path: string, tag: string } | undefined}
 */
export function findPython() {
  const names = ['python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
  for (const name of process.env.LAUREL_PYTHON ? [process.env.LAUREL_PYTHON] : names) {
    const { status, stdout } = spawnSync(name, ['-c', PROBE], { encoding: 'utf8' });
    if (status !== 0) continue;
    const [path, tag] = stdout.trim().split(/\r?\n/);
    return { path, tag };
  }
  return undefined;
}
