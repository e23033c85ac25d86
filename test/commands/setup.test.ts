// The calls of `.ci/setup.mjs` to npm, by the present packages. A stub of npm records its calls.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

type Packages = Record<string, { version?: string }>;

let folder: string;
let locked: Packages;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-setup-'));
  await mkdir(join(folder, '.ci'));
  await mkdir(join(folder, '.laurel/protos'), { recursive: true });
  await cp(join(root, '.ci/setup.mjs'), join(folder, '.ci/setup.mjs'));
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  for (const script of ['third-party-protos.ts', 'validate-proto-source.ts'])
    await writeFile(join(folder, '.ci', script), '');
  await writeFile(
    join(folder, 'npm.mjs'),
    `import { appendFileSync } from 'node:fs'; appendFileSync('asked', process.argv.slice(2).join(' '));`,
  );
  locked = (JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as { packages: Packages }).packages;
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => rm(join(folder, 'node_modules'), { recursive: true, force: true }));

/** Records that npm has installed these packages. */
async function lay(packages: Packages): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

/** The arguments of the call to npm; empty without a call. */
async function asked(...options: string[]): Promise<string> {
  const env = { ...process.env, npm_execpath: join(folder, 'npm.mjs'), npm_node_execpath: process.execPath };
  await writeFile(join(folder, 'asked'), '');
  await run(process.execPath, [join(folder, '.ci/setup.mjs'), '--no-console', ...options], { env });
  return readFile(join(folder, 'asked'), 'utf8');
}

/** The locked packages, without those whose path has one of these words. */
function without(...words: string[]): Packages {
  return Object.fromEntries(Object.entries(locked).filter(([path]) => !words.some((word) => path.includes(word))));
}

/** Packages only for tests and checks. */
const OF_TESTS = ['vitest', '@bufbuild/buf', '@sparticuz', 'typescript', '.ci', 'test/generators', 'laurel-'];

test('a first start installs what the root needs, and first tests install everything', async () => {
  expect(await asked()).toMatch(/^ci --workspaces=false .*--include=dev/);
  expect(await asked('--tests')).toMatch(/^ci (?!.*workspaces).*--include=dev/);
});

test('a start needs nothing of tests, and each package of its own, direct or below another', async () => {
  await lay(without(...OF_TESTS));
  expect(await asked()).toBe('');
  for (const name of ['vite', 'node', 'pg-protocol', 'rolldown', '@scalar/fastify-api-reference']) {
    await lay(without(...OF_TESTS, `node_modules/${name}`));
    expect([name, await asked()]).toEqual([name, expect.stringMatching(/^install --no-save --workspaces=false /)]);
  }
});

test('tests after a start add what is missing, and take nothing away that a second start would lay again', async () => {
  await lay(without(...OF_TESTS));
  expect(await asked('--tests')).toMatch(/^install --no-save (?!.*workspaces)/);
  await lay(locked);
  expect([await asked('--tests'), await asked()]).toEqual(['', '']);
});

test('a start brings up to date what tests need, too, where it was there', async () => {
  await lay({ ...locked, 'node_modules/pg': { version: '0.0.1' } });
  expect(await asked()).toMatch(/^install --no-save (?!.*workspaces)/);
});
