// Every dependency has a licence that allows distribution. docs/dependencies.md has the reason for each direct one and the result of its
// review. `node .ci/check-dependencies.ts --write` updates versions, licences and the list of indirect ones; the author of a new dependency
// writes the words of its row.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = {
  version: string;
  link?: boolean;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
};
type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };
type Row = { readonly line: string; readonly name: string; readonly version: string; readonly licence: string };

/** Licences under which a package may be shipped with, or used to build, a service under Apache-2.0. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Licences of packages whose manifest has a form that npm does not read; each was looked up in the package. */
const LICENCES_LOOKED_UP: Record<string, string> = { 'node_modules/format': 'MIT', 'node_modules/reserved': 'MIT' };

const root = join(import.meta.dirname, '..');
const pagePath = join(root, 'docs', 'dependencies.md');
const packages = read<{ packages: Record<string, Package> }>('package-lock.json').packages;
const { dependencies, devDependencies } = read<Manifest>('package.json');
const ofTests = read<Pick<Manifest, 'devDependencies'>>('.ci/package.json').devDependencies;
const direct = Object.keys({ ...dependencies, ...devDependencies, ...ofTests });

if (process.argv.includes('--write')) writeFileSync(pagePath, renewed(readFileSync(pagePath, 'utf8')));

const page = readFileSync(pagePath, 'utf8');
const faults = [...licenceFaults(), ...rowFaults(rowsOf(page)), ...treeFaults(page)];
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** The installed packages of others, by path. The lock file also has this project, its workspaces and links to them. */
function installed(): [path: string, Package][] {
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
}

function licenceFaults(): string[] {
  return installed().flatMap(([path, { license }]) => {
    if (isAllowed(license ?? LICENCES_LOOKED_UP[path] ?? '')) return [];
    return [`${path} has the licence '${license ?? 'none'}', which is not among those in .ci/check-dependencies.ts.`];
  });
}

/** Whether an SPDX expression is allowed: one of its alternatives (OR), all of its combined licences (AND). */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((together) => together.split(' AND ').every((licence) => ALLOWED.has(licence.trim())));
}

function rowFaults(rows: readonly Row[]): string[] {
  const missing = direct.filter((name) => !rows.some((row) => row.name === name));
  const gone = rows.filter(({ name }) => !direct.includes(name));
  const changed = rows.filter((row) => direct.includes(row.name) && row.line !== rowFor(row));
  return [
    ...missing.map((name) => `docs/dependencies.md does not say why ${name} is here: add a row.`),
    ...gone.map(({ name }) => `docs/dependencies.md has a row of ${name}, which is no dependency any more: remove it.`),
    ...changed.map(
      ({ name }) => `docs/dependencies.md has another version or licence of ${name}: run the check with --write.`,
    ),
  ];
}

function treeFaults(text: string): string[] {
  return text === renewed(text)
    ? []
    : ['docs/dependencies.md is behind package-lock.json: run the check with --write.'];
}

/** Rows of the form `| `name` | version | licence | ... |` */
function rowsOf(text: string): Row[] {
  return [...text.matchAll(/^\| `([^`]+)` +\| ([^|]*?) +\| ([^|]*?) +\|.*$/gm)].map(
    ([line, name, version, licence]) => ({
      line,
      name: name ?? '',
      version: version ?? '',
      licence: licence ?? '',
    }),
  );
}

/** The row with the version and licence of the lock file, with its padding. */
function rowFor({ line, name, version, licence }: Row): string {
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) return line;
  if (version === locked.version && licence === locked.license) return line;
  return line.replace(`| ${version} `, `| ${locked.version} `).replace(`| ${licence} `, `| ${locked.license} `);
}

function renewed(text: string): string {
  const withRows = rowsOf(text).reduce((rest, row) => rest.replace(row.line, rowFor(row)), text);
  return withRows.replace(/(<!-- tree -->\n\n)[\s\S]*?(\n\n<!-- \/tree -->)/, `$1${productionTree()}$2`);
}

/** The indirect dependencies of an installation with `--omit=dev`, without binaries of single platforms. */
function productionTree(): string {
  const indirect = installed().flatMap(([path, each]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const ships = !each.dev && !each.devOptional && each.os === undefined && each.cpu === undefined;
    return ships && dependencies[name] === undefined ? [{ name, ...each }] : [];
  });
  const byLicence = Object.groupBy(indirect, ({ license }) => license ?? 'none');
  return Object.entries(byLicence)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([licence, list = []]) => `- ${licence}: ${list.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
    .join('\n');
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}
