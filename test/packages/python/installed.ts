import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../../../.ci/find-python.mjs';

const run = promisify(execFile);
export const root = join(import.meta.dirname, '../../..');
const wheels = join(root, '.laurel/python/wheels');

/**
 * The Python of this machine; undefined if it has none of 3.10 or later, or if pip could not get the packages of the tests. Only then are
 * tests left out: a machine that reaches no index of Python can test the service.
 */
export const python = existsSync(wheels) ? findPython() : undefined;
if (python === undefined)
  console.warn(
    'The tests of packages/python are left out: they need Python 3.10 or later with pip and venv, and the packages of `npm run setup -- --tests`.',
  );

/** The settings by which pip takes packages from the folder that setup lays, and never from a registry. */
export const OFFLINE = {
  PIP_NO_INDEX: '1',
  PIP_FIND_LINKS: wheels,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_CONFIG_FILE: '/dev/null',
};

/** The oldest and the newest protobuf that the tests have, by their versions. */
export const PROTOBUFS = { newest: '7.36.2', oldest: '6.33.6' };

/** An environment with the package, installed from its wheel. */
export type Environment = {
  readonly folder: string;
  /** The path of the wheel. */
  readonly wheel: string;
  /** The interpreter. */
  readonly python: string;
  close(): Promise<void>;
};

/** Packs the package; returns the path of its wheel. */
export async function wheelInto(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['.ci/clients/pack-python.ts', folder], { cwd: root });
  return join(folder, stdout.trim().split('\n').at(-1)!);
}

/** Makes an environment in a new folder, and installs the wheel, pytest and others into it. */
export async function environment(protobuf: string, ...others: readonly string[]): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-python-'));
  const wheel = await wheelInto(folder);
  const own = join(folder, '.venv');
  await run(python!.path, ['-m', 'venv', '--without-pip', own]);
  const interpreter = join(own, 'bin/python');
  const packages = [wheel, `protobuf==${protobuf}`, 'pytest', ...others];
  await run(python!.path, ['-m', 'pip', '--python', interpreter, 'install', '--quiet', ...packages], {
    env: { ...process.env, ...OFFLINE },
  });
  return { folder, wheel, python: interpreter, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a program of Python; the error of a failure has what it printed. */
export async function runPython(
  interpreter: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = import.meta.dirname,
): Promise<string> {
  const all = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1', ...env };
  try {
    return (await run(interpreter, args, { cwd, env: all, maxBuffer: 1 << 24 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Runs the tests of a file with pytest. A warning is a failure, so that a later protobuf does not break what an earlier one announces. */
export async function runPytest(
  env: Environment,
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ['-m', 'pytest', '-q', '-W', 'error', '-p', 'no:cacheprovider', file];
  return runPython(env.python, args, variables);
}

/** The version of an installed package. */
export function versionOf(env: Environment, name: string): string {
  const code = `import importlib.metadata; print(importlib.metadata.version('${name}'))`;
  return execFileSync(env.python, ['-c', code]).toString().trim();
}
