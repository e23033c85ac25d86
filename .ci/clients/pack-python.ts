// Builds `packages/python` and writes its wheel: `npm run pack-clients -- <folder>`. The bytes depend on the sources alone. Prints the name of
// the wheel. Without Python 3.10 or later it says so, and writes nothing.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPython } from '../find-python.mjs';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'packages/python');
const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error('Name the folder: npm run pack-clients -- /tmp/shop');
  process.exit(1);
}
const python = findPython();
if (python === undefined) {
  console.error(
    'The wheel of packages/python is left out: this machine has no Python 3.10 or later with pip and venv.',
  );
  process.exit(0);
}
const [backend] = globSync('.laurel/python/wheels/flit_core-*.whl', { cwd: root });
if (backend === undefined) {
  console.error('The packages that build the wheel are missing: run `npm run setup -- --tests`, which says why.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'laurel-pack-'));
try {
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(target, { recursive: true });
  const build = 'import sys; from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[1]))';
  execFileSync(python.path, ['-c', build, resolve(target)], {
    cwd: folder,
    // The date of all files in the wheel, in seconds: 1980 is the first that an archive can have.
    env: { ...process.env, PYTHONPATH: join(root, backend), SOURCE_DATE_EPOCH: '315532800' },
    stdio: 'inherit',
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
