// Lays `node_modules` when it does not match `package-lock.json`; otherwise it answers in milliseconds, so that every
// npm script can begin with it. It is plain JavaScript because the first run happens under whatever Node the machine
// has; afterwards npm finds Node 26 in `node_modules/.bin`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isInstalled()) {
  console.error('Installing the dependencies, once; this takes about half a minute.');
  install();
}

/**
 * Whether npm's own record of what it laid names every package of the lock file, at its version. Times of
 * modification would not do: git touches the lock file without changing it.
 */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const laid = packagesOf(join('node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // The entry '' is this project itself; an optional package may be for another platform.
    if (path === '' || (optional && !laid[path])) return true;
    return laid[path]?.version === version;
  });
}

/** @returns {Record<string, { version: string, optional?: boolean }>} */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Only errors are shown: under an older Node, npm warns about every package that wants a newer one. Development
 * packages are always included, also under NODE_ENV=production, because Node 26 itself is one.
 */
function install() {
  // npm tells its scripts where it lies itself. The shell is for Windows, where `npm` alone is a command file.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--loglevel=error', '--include=dev', '--no-audit', '--no-fund'];
  const done = npm
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status === 0) return;
  console.error('The installation failed; npm says why above. Mend that and run the command again.');
  process.exit(done.status ?? 1);
}
