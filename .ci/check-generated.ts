// Checks that `gen/` is the output of the current protos and plugins. It generates into a temporary folder and compares, so that a check
// changes no file, works beside uncommitted edits, and also finds files that git does not know.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'laurel-generated-'));
try {
  const generated = spawnSync(`buf generate --output "${folder}"`, { shell: true, stdio: 'inherit' });
  process.exitCode = generated.status === 0 ? differences() : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The exit code of `git diff`: 0 without differences, 1 after it has named the different files. */
function differences(): number {
  const args = ['diff', '--no-index', '--stat', '--exit-code', 'gen', join(folder, 'gen')];
  return spawnSync('git', args, { stdio: 'inherit' }).status ?? 1;
}
