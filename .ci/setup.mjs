// Lays `node_modules` when it does not match `package-lock.json`, lays the third-party protos that ours import, and builds
// the console and the docs when their sources have changed; otherwise it answers in milliseconds, so that every npm script can begin with
// it. Those that need neither pass `--no-console`. It is plain JavaScript because the first run happens under
// whatever Node the machine has; afterwards npm finds Node 26 in `node_modules/.bin`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isInstalled()) {
  console.error('Installing the dependencies, once; this takes about half a minute.');
  install();
}
layProtos();
if (!process.argv.includes('--no-console')) {
  buildConsole();
  buildDocs();
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
  console.error('The installation failed; npm says why above. Fix that and run the command again.');
  process.exit(done.status ?? 1);
}

/**
 * Lays third-party protos into `.laurel/protos`, where buf.yaml names them, unless these very scripts have laid them from
 * these very packages. The build of a container copies no such scripts, and needs no protos.
 */
function layProtos() {
  const script = join('.ci', 'third-party-protos.ts');
  const inputs = [script, join('.ci', 'validate-proto-source.ts'), 'package-lock.json'].map((file) => join(root, file));
  if (!inputs.every((file) => existsSync(file))) return;
  const folder = join(root, '.laurel', 'protos');
  const stamp = join(folder, '.sources');
  const sources = digestOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  runNode([script], 'The third-party protos could not be laid');
  writeFileSync(stamp, sources);
}

/** Builds the console into `dist/console`. */
function buildConsole() {
  const config = join('src', 'console', 'vite.config.ts');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  buildInto('console', config, filesOf('src/console', 'gen'), (folder) =>
    runNode(
      [vite, 'build', '--config', config, '--logLevel', 'warn', '--outDir', folder],
      'The console could not be built',
    ),
  );
}

/** Builds the reference and the guide into `dist/docs`. */
function buildDocs() {
  const script = join('.ci', 'docs', 'build.ts');
  const sources = [...filesOf('src/docs', '.ci/docs', 'docs', 'src/console/public'), join(root, 'gen', 'errors.md')];
  buildInto('docs', script, sources, (folder) => runNode([script, folder], 'The docs could not be built'));
}

/**
 * Builds into a folder of `dist` unless it was built from these very sources: times of modification would not do,
 * because a fresh clone has only new files. Where there are no sources, as in a container that was built elsewhere, what
 * lies there is served.
 */
function buildInto(name, script, files, build) {
  if (![join(root, script), ...files].every((file) => existsSync(file))) return;
  const folder = join(root, 'dist', name);
  const stamp = join(folder, '.sources');
  const sources = digestOf([...files, join(root, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.error(`Building the ${name}; this takes some seconds.`);
  // Laid beside and put in place at once: two commands may build at the same time, and a service may be reading.
  const fresh = `${folder}.${process.pid}`;
  build(fresh);
  writeFileSync(join(fresh, '.sources'), sources);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** npm puts Node 26 of `node_modules/.bin` first; the Node that runs this file may be an older one. */
function runNode(args, failure) {
  const done = spawnSync('node', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status === 0) return;
  console.error(`${failure}; the reason stands above.`);
  process.exit(done.status ?? 1);
}

/** Every file below the folders, in a fixed order. */
function filesOf(...folders) {
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
  return files.sort();
}

/** A digest of names and contents. */
function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}
