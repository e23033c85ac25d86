// Names in comments and pages exist: decisions, files in back-ticks, `{@link name}` and `@param name`. The compiler does not
// read them, so a rename leaves them behind. `node .ci/check-references.ts docs src/engine` checks these paths only.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commentsOf } from './prose/comments.ts';
import { type Declarations, declarationsOf, type Parameters } from './prose/declarations.ts';

const CHECKED = [
  '*.md',
  '{docs,deploy,src,test,bench,packages}/**/*.md',
  '{src,test,bench,.ci,packages/*/src}/**/*.{ts,tsx}',
  'proto/**/*.proto',
];

/** Decisions before this number, and migrations, are records of their day. */
const RECORDS = /^docs\/decisions\/00[0-8]\d-|^src\/persistence\/migrations\//;

const DECISION = /\bdocs\/decisions\/(?<number>\d{4})(?<rest>-[\w-]+\.md)?/g;
const CODE_SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;
const PATH = /(?<![\w./-])(?:src|test|docs|bench|\.ci|gen|packages)\/(?:\{[^}\s]*\}|[^\s'",;:()|{])*/g;

/** A file below `src`, or below a folder above the comment. */
const NEARBY_FILE = /^(?!(?:src|test|docs|bench|gen)\/)[a-z][\w-]*\/[\w./-]+\.tsx?$/;

/** A path with a part to fill in. */
const TEMPLATE = /<|\.\.\.|…|\$|NNNN/;

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const decisions = globSync('docs/decisions/*.md', { cwd: root }).map((path) => path.replace('docs/decisions/', ''));
const parsed = new Map<string, Declarations>();

const faults = globSync(CHECKED, { cwd: root })
  .filter((file) => !RECORDS.test(file) && !/node_modules|^packages\/\w+\/src\/gen\//.test(file))
  .filter((file) => asked.length === 0 || asked.some((path) => file.startsWith(path)))
  .toSorted()
  .flatMap(faultsOf);
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\n${faults.length} faults.`);
  process.exit(1);
}

function faultsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  // Released parts of the changelog are history.
  if (file === 'CHANGELOG.md') return pathFaults(file, source.replace(/^## \[\d.*/ms, ''));
  if (file.endsWith('.md')) return pathFaults(file, source);
  const paths = pathFaults(file, commentsOf(source));
  return file.endsWith('.proto') || !/@link|@param/.test(source) ? paths : [...paths, ...nameFaults(file)];
}

function pathFaults(file: string, prose: string): string[] {
  return prose.split('\n').flatMap((line, index) => {
    const spans = [...line.matchAll(CODE_SPAN)].map(([, code = '']) => code);
    const missing = [
      ...[...line.matchAll(DECISION)].filter(({ groups }) => !isDecision(groups!)).map(([path]) => path),
      ...spans.flatMap((code) => code.match(PATH) ?? []).filter((path) => !isThere(path)),
      ...spans.filter((code) => NEARBY_FILE.test(code) && !isNearby(file, code)),
    ];
    return missing.map((path) => `${file}:${index + 1} ${path} does not exist.`);
  });
}

function isDecision({ number = '', rest }: Record<string, string | undefined>): boolean {
  return decisions.some((name) => (rest === undefined ? name.startsWith(number) : name === number + rest));
}

/** Whether a file, a folder or, for a pattern, at least one file exists. */
function isThere(path: string): boolean {
  if (TEMPLATE.test(path) || path.startsWith('docs/decisions/')) return true;
  const bare = path.replace(/[.?!]$/, '');
  return /[*{]/.test(bare) ? globSync(bare, { cwd: root }).length > 0 : existsSync(join(root, bare));
}

function isNearby(file: string, path: string): boolean {
  const above = dirname(file)
    .split('/')
    .map((_, index, folders) => folders.slice(0, index + 1).join('/'));
  return ['.', 'src', ...above].some((folder) => existsSync(join(root, folder, path)));
}

function nameFaults(file: string): string[] {
  const { links, params } = declarations(file);
  return [
    ...links
      .filter(({ name }) => !isDeclared(file, name))
      .map(({ line, name }) => `${file}:${line} {@link ${name}}: the file neither declares nor imports it.`),
    ...params
      .filter(({ name, of }) => !isParameter(file, name, of))
      .map(({ line, name }) => `${file}:${line} @param ${name}: the function below has no such parameter.`),
  ];
}

/** `name`, or `name.member` where the declaration of `name` or the file that it is imported from declares the member. */
function isDeclared(file: string, link: string): boolean {
  const [name = '', ...members] = link.replace('()', '').split('.');
  const { names, imports } = declarations(file);
  if (!names.has(name)) return false;
  const from = imports.get(name);
  const home = from?.startsWith('.')
    ? declarations(join(dirname(file), from)).names
    : from === undefined
      ? names
      : undefined;
  return home === undefined || members.every((member) => home.has(member));
}

/** A parameter, a property of a destructured one, or `options.name` where the type of `options` has the name. */
function isParameter(file: string, name: string, { names, types }: Parameters): boolean {
  const [parameter = '', member] = name.split('.');
  if (member === undefined || names.has(member)) return names.has(member ?? name);
  const type = types.get(parameter);
  return type !== undefined && isDeclared(file, `${type}.${member}`);
}

function declarations(file: string): Declarations {
  const known = parsed.get(file) ?? declarationsOf(file, readFileSync(join(root, file), 'utf8'));
  parsed.set(file, known);
  return known;
}
