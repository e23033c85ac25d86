// Checks that `gen/` and the generated part of each package are the output of the current protos and plugins. It generates into a temporary folder and compares, so that a check
// changes no file, works beside uncommitted edits, and also finds files that git does not know.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'laurel-generated-'));
/** The generated part of each package, and the script that writes it. */
const packaged: Readonly<Record<string, string>> = {
  'packages/typescript/src/gen': '.ci/clients/generate-typescript.ts',
  'packages/python/src/laurel/_gen': '.ci/clients/generate-python.ts',
};
try {
  const isGenerated =
    run(`buf generate --output "${folder}"`) &&
    Object.entries(packaged).every(([path, script]) => run(`node ${script} "${join(folder, path)}"`));
  process.exitCode = isGenerated ? Math.max(...['gen', ...Object.keys(packaged)].map(differences)) : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string): boolean {
  return spawnSync(command, { shell: true, stdio: 'inherit' }).status === 0;
}

/** The exit code of `git diff`: 0 without differences, 1 after it has named the different files. */
function differences(path: string): number {
  const args = ['diff', '--no-index', '--stat', '--exit-code', path, join(folder, path)];
  return spawnSync('git', args, { stdio: 'inherit' }).status ?? 1;
}
