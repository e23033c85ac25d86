// The lock file must serve every machine: it names no registry, so that each one uses its own, and it holds every
// platform's packages, because npm refuses to install from one that lacks some. Versions must be exact, since ranges
// resolve differently under an older Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = { resolved?: string; optionalDependencies?: Record<string, string> };
type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

const packages = read<{ packages: Record<string, Package> }>('package-lock.json').packages;
const { dependencies, devDependencies } = read<Manifest>('package.json');

const faults = [
  ...Object.entries(packages).flatMap(([path, each]) => [
    ...(each.resolved?.startsWith('http') ? [`${path} is tied to ${each.resolved}: delete its "resolved".`] : []),
    ...Object.keys(each.optionalDependencies ?? {})
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map(
        (name) => `${path} may need ${name}, which is not locked: choose a version whose platform packages all exist.`,
      ),
  ]),
  ...Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d/.test(version))
    .map(([name, version]) => `${name} has the range ${version} in package.json: install it with --save-exact.`),
];

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8')) as T;
}
