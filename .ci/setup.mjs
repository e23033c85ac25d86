// Lays the packages of `package-lock.json` that are needed and missing, and builds the console, the docs and the widgets when their sources
// have changed; otherwise it answers in milliseconds, so that every npm script can begin with it. `npm start` needs the packages of the
// root alone. `--tests` lays those of the workspaces as well, and the third-party protos that ours import: tests, checks and generators
// pass it. Those that need neither console nor docs pass `--no-console`. It is plain JavaScript because the first run happens under
// whatever Node the machine has; afterwards npm finds Node 26 in `node_modules/.bin`.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What runs the tests: where it is, the packages of tests and checks were laid. */
const TESTS = 'node_modules/vitest';

const wanted = packagesOf('package-lock.json');
const laid = packagesOf(join('node_modules', '.package-lock.json'));
const withTests = process.argv.includes('--tests');
if (!isLaid(withTests ? Object.keys(wanted) : packagesOfRoot())) install();
const builds = [
  ...(withTests ? [layProtos, layWheels] : []),
  // At once: none keeps two processors busy.
  ...(process.argv.includes('--no-console') ? [] : [buildConsole, buildDocs, buildWidgets]),
];
const outcomes = await Promise.allSettled(builds.map((build) => build()));
for (const { reason } of outcomes.filter(({ status }) => status === 'rejected')) {
  console.error(reason.message);
  process.exitCode = 1;
}

/** What a lock file names, by its path below the root. */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Whether npm's own record of what it laid names each of these packages, at the version of the lock file. Times of modification
 * would not do: git touches the lock file without changing it.
 */
function isLaid(paths) {
  return paths.every((path) => {
    const { version, optional } = wanted[path];
    // The entry '' is this project itself; an optional package may be for another platform.
    return path === '' || laid[path]?.version === version || (optional && !laid[path]);
  });
}

/** The paths of what the root needs and of all below it, each where Node finds it: upwards from who needs it. */
function packagesOfRoot() {
  const found = new Set();
  const follow = (from) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      wanted[from];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    const names = [dependencies, from === '' && devDependencies, optionalDependencies].flatMap((each) =>
      Object.keys(each || {}),
    );
    for (const name of [...names, ...peers]) {
      const path = candidatesOf(name, from).find((candidate) => wanted[candidate]);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      follow(path);
    }
  };
  if (wanted['']) follow('');
  return [...found];
}

/** `node_modules/a/node_modules/b` for a package that `node_modules/a` needs, then `node_modules/b`. */
function candidatesOf(name, from) {
  if (from === '') return [`node_modules/${name}`];
  const above = from.slice(0, from.lastIndexOf('node_modules/')).replace(/\/$/, '');
  return [`${from}/node_modules/${name}`, ...candidatesOf(name, above)];
}

/**
 * `npm ci` takes away what is there first, so that it is for the first time only; later the lock file is followed by adding and
 * replacing. What tests need is kept up to date where it was laid once. Only errors are shown: under an older Node, npm warns about
 * every package that wants a newer one. Development packages are always included, also under NODE_ENV=production, because Node 26
 * itself is one.
 */
function install() {
  const everything = withTests || laid[TESTS] !== undefined;
  console.error(
    everything
      ? 'Installing the dependencies, those of the tests among them; this takes about a minute.'
      : 'Installing the dependencies, once; this takes about half a minute.',
  );
  const args = [
    ...(Object.keys(laid).length > 0 ? ['install', '--no-save'] : ['ci']),
    ...(everything ? [] : ['--workspaces=false']),
    ...['--loglevel=error', '--include=dev', '--no-audit', '--no-fund'],
  ];
  // npm tells its scripts where it lies itself. The shell is for Windows, where `npm` alone is a command file.
  const npm = process.env.npm_execpath;
  const done = npm
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status === 0) return;
  console.error('The installation failed; npm says why above. Fix that and run the command again.');
  process.exit(done.status ?? 1);
}

/**
 * Lays third-party protos into `.laurel/protos`, where buf.yaml names them, unless these very scripts have laid them from
 * these very packages.
 */
async function layProtos() {
  const script = join('.ci', 'third-party-protos.ts');
  const inputs = [script, join('.ci', 'validate-proto-source.ts'), 'package-lock.json'].map((file) => join(root, file));
  const folder = join(root, '.laurel', 'protos');
  const stamp = join(folder, '.sources');
  const sources = digestOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  await runNode([script], 'The third-party protos could not be laid');
  writeFileSync(stamp, sources);
}

/**
 * Lays the wheels with which `packages/python` is packed and tested into `.laurel/python/wheels`, through pip as it is set up here. Those of
 * another Python, or of other versions, are replaced. Without Python 3.10 or later, or without an index of Python, there is nothing to lay: the
 * tests of the package say so and are left out. DuckDB alone may be missing, where its list has no digest of a wheel for this machine.
 */
async function layWheels() {
  const ofDuckDb = join(root, '.ci', 'clients', 'python-duckdb.txt');
  const ofPackage = ['python-tests.txt', 'python-oldest.txt'].map((name) => join(root, '.ci', 'clients', name));
  const lists = [...ofPackage, ofDuckDb];
  if (!lists.every((list) => existsSync(list))) return;
  // Not at the top, because a container has this file alone.
  const { findPython } = await import('./find-python.mjs');
  const python = findPython();
  if (python === undefined) return;
  const folder = join(root, '.laurel', 'python');
  const stamp = join(folder, '.sources');
  const wheels = join(folder, 'wheels');
  const sources = `${digestOf(lists)} ${python.tag}`;
  if (existsSync(wheels) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.error('Laying the Python packages of the tests; this takes some seconds.');
  const fresh = join(folder, `wheels.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  const options = [
    '--quiet',
    '--disable-pip-version-check',
    '--retries',
    '2',
    '--only-binary',
    ':all:',
    '--dest',
    fresh,
  ];
  for (const list of lists) {
    const args = ['-m', 'pip', 'download', ...options, '--requirement', list];
    const { status, stderr } = spawnSync(python.path, args, { encoding: 'utf8' });
    if (status === 0) continue;
    console.error(stderr);
    if (list === ofDuckDb) {
      console.error('DuckDB could not be laid: its part of the test of docs/guide/warehouse.md is left out.');
      continue;
    }
    console.error(
      'The Python packages could not be laid: the tests of packages/python are left out. pip says why above.',
    );
    rmSync(fresh, { recursive: true, force: true });
    return;
  }
  rmSync(wheels, { recursive: true, force: true });
  renameSync(fresh, wheels);
  writeFileSync(stamp, sources);
}

/** Builds the console into `dist/console`. */
async function buildConsole() {
  const config = join('src', 'console', 'vite.config.ts');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await buildInto('console', config, filesOf('src/console', 'gen'), (folder) =>
    runNode(
      [vite, 'build', '--config', config, '--logLevel', 'warn', '--outDir', folder],
      'The console could not be built',
    ),
  );
}

/** Builds the reference and the guide into `dist/docs`. */
async function buildDocs() {
  const script = join('.ci', 'docs', 'build.ts');
  const sources = [...filesOf('src/docs', '.ci/docs', 'docs', 'src/console/public'), join(root, 'gen', 'errors.md')];
  await buildInto('docs', script, sources, (folder) => runNode([script, folder], 'The docs could not be built'));
}

/** Builds the script of the widgets into `dist/widgets`. */
async function buildWidgets() {
  const script = join('.ci', 'widgets', 'build.ts');
  const entry = join(root, 'packages', 'widgets', 'src', 'script.ts');
  const sources = [entry, ...filesOf('packages/widgets/src', '.ci/widgets', '.ci/docs')];
  await buildInto('widgets', script, sources, (folder) => runNode([script, folder], 'The widgets could not be built'));
}

/**
 * Builds into a folder of `dist` unless it was built from these very sources: times of modification would not do,
 * because a fresh clone has only new files. Where there are no sources, as in a container that was built elsewhere, what
 * lies there is served.
 */
async function buildInto(name, script, files, build) {
  if (![join(root, script), ...files].every((file) => existsSync(file))) return;
  const folder = join(root, 'dist', name);
  const stamp = join(folder, '.sources');
  const sources = digestOf([...files, join(root, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.error(`Building the ${name}; this takes some seconds.`);
  // Laid beside and put in place at once: two commands may build at the same time, and a service may be reading.
  const fresh = `${folder}.${process.pid}`;
  await build(fresh);
  writeFileSync(join(fresh, '.sources'), sources);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** npm puts Node 26 of `node_modules/.bin` first; the Node that runs this file may be an older one. */
function runNode(args, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn('node', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${failure}; the reason stands above.`))));
  });
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
