// The lock file must work on every machine. It names no registry, so that each machine uses its own, and it contains every platform's
// packages, because npm refuses to install from a file that lacks some. Versions are exact, since ranges resolve differently under an older
// Node. The file agrees with each package.json: `npm install --no-save`, by which `.ci/setup.mjs` adds packages, does not report a
// difference. Packages for tests are in the root, for every folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

type Versions = Record<string, string>;
type Manifest = { dependencies?: Versions; devDependencies?: Versions };
type Package = Manifest & { resolved?: string; optionalDependencies?: Versions };

const packages = read<{ packages: Record<string, Package> }>('package-lock.json').packages;
const { workspaces } = read<{ workspaces: string[] }>('package.json');
const manifests = ['', ...workspaces].map((folder) => ({
  folder,
  wanted: versionsIn(read(join(folder, 'package.json'))),
}));

const faults = [
  ...Object.entries(packages).flatMap(([path, each]) => [
    ...(each.resolved?.startsWith('http') ? [`${path} is tied to ${each.resolved}: delete its "resolved".`] : []),
    ...Object.keys(each.optionalDependencies ?? {})
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map(
        (name) => `${path} may need ${name}, which is not locked: choose a version whose platform packages all exist.`,
      ),
  ]),
  ...manifests.flatMap(({ folder, wanted }) => [
    ...Object.entries(wanted)
      .filter(([, version]) => !/^\d/.test(version))
      .map(
        ([name, version]) =>
          `${name} has the range ${version} in ${join(folder, 'package.json')}: install it with --save-exact.`,
      ),
    ...(isDeepStrictEqual(wanted, versionsIn(packages[folder] ?? {}))
      ? []
      : [`package-lock.json is behind ${join(folder, 'package.json')}: run \`npm install\`.`]),
  ]),
  ...Object.keys(manifests.find(({ folder }) => folder === '.ci')?.wanted ?? {})
    .filter((name) => !packages[`node_modules/${name}`])
    .map(
      (name) =>
        `${name} of .ci/package.json is locked below another folder than node_modules: take the root's version.`,
    ),
];

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

function versionsIn({ dependencies, devDependencies }: Manifest): Versions {
  return { ...dependencies, ...devDependencies };
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8')) as T;
}
