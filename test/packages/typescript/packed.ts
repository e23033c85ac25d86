import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** The packages that the TypeScript package needs, taken from this clone because tests have no registry. */
const NEEDED = ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web'];

/** An empty project with the package, installed from its archive. */
export type Project = {
  readonly folder: string;
  /** The path of the archive. */
  readonly archive: string;
  close(): Promise<void>;
};

/** Packs the package; returns the path of its archive. */
export async function packedInto(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['.ci/clients/pack-typescript.ts', folder], { cwd: root });
  return join(folder, stdout.trim().split('\n').at(-1)!);
}

/** Makes an empty project and installs the archive into it, without a registry. */
export async function packedProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-shop-'));
  const archive = await packedInto(folder);
  const archives = join(folder, 'archives');
  await mkdir(archives);
  const sources = NEEDED.map((name) => join(root, 'node_modules', name));
  await run('npm', ['pack', ...sources, '--pack-destination', archives, '--ignore-scripts', '--loglevel=error']);
  await run('sh', ['-ec', 'npm init -y && npm pkg set type=module'], { cwd: folder });
  const install = `npm install --offline --no-audit --no-fund --loglevel=error ./archives/*.tgz ${archive}`;
  await run('sh', ['-ec', install], { cwd: folder });
  return { folder, archive, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Compiles files of the project into its folder `out`, strictly. A mistake fails the test, with the words of the compiler. */
export async function compile({ folder }: Project, tsc: string, files: readonly string[]): Promise<void> {
  const types = join(folder, 'node_modules/@types');
  if (!existsSync(types)) await symlink(join(root, 'node_modules/@types'), types);
  const settings = { target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], outDir: 'out' };
  const compilerOptions = { ...settings, strict: true, exactOptionalPropertyTypes: true, types: ['node'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await run(tsc, ['-p', folder]).catch(({ stdout }: { stdout: string }) => expect.unreachable(stdout));
}
