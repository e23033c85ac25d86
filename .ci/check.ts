// `npm run check`: all checks that do not run the code, cheapest first. It changes no file and stops at the first fault.
// `npm run check -- lint types` runs those steps only.
import { spawnSync } from 'node:child_process';

/** One check: a shell command that exits with 0 for success, and the fix for a failure. */
type Step = { readonly name: string; readonly command: string; readonly fix: string };

/** The compiler keeps its results in `.laurel/types`, so that the next run checks only changed files and their dependents. */
const compile = (name: string, project: string) =>
  `tsc -p ${project} --incremental --tsBuildInfoFile .laurel/types/${name}.tsbuildinfo`;

const steps: readonly Step[] = [
  { name: 'lock', command: 'node .ci/check-lock.ts', fix: 'See the words above.' },
  {
    name: 'dependencies',
    command: 'node .ci/check-dependencies.ts',
    fix: 'A new dependency gets a row in docs/dependencies.md; `node .ci/check-dependencies.ts --write` does the rest.',
  },
  { name: 'format', command: 'oxfmt --check', fix: 'Run `npm run format`.' },
  {
    name: 'prose',
    command: 'node .ci/check-prose.ts',
    fix: 'Write what is named above. The style and its reasons: docs/decisions/0094-plain-words.md.',
  },
  {
    name: 'pages',
    command: 'node .ci/check-pages.ts',
    fix: 'Run `node .ci/check-pages.ts --write` and `npm run format`. A decision gets its row by hand.',
  },
  {
    name: 'references',
    command: 'node .ci/check-references.ts',
    fix: 'Write the name that is meant, in full, or take the reference out.',
  },
  { name: 'layers', command: 'node .ci/check-layers.ts', fix: 'See the words above.' },
  {
    name: 'lint',
    command: 'oxlint',
    fix: 'Fix what is named above; `npx oxlint --fix` fixes some of it. The rules and their reasons: oxlint.config.ts.',
  },
  {
    name: 'types',
    // Two programs: the service with the types of Node, the console with those of the browser. Both run, so that all faults are shown.
    command: `${compile('service', '.')}; service=$?; ${compile('console', 'src/console')} && exit $service`,
    fix: 'Fix what the compiler names above.',
  },
  {
    name: 'migrations',
    command: 'node .ci/create-migration.ts --check',
    fix: 'The entities declare what no migration builds: `npm run migration -- <name>`, and read what it wrote.',
  },
  {
    name: 'migration rules',
    command: 'node .ci/check-migrations.ts',
    fix: 'See the words above; CONTRIBUTING.md, Adding a migration, has the rules.',
  },
  { name: 'proto format', command: 'buf format --diff --exit-code proto', fix: 'Run `npm run format`.' },
  {
    name: 'proto lint',
    command: 'buf lint',
    fix: 'Fix the protos as named above. The rules: buf.yaml.',
  },
  {
    name: 'generated code',
    command: 'node .ci/check-generated.ts',
    fix: 'Run `npm run generate` and commit gen/.',
  },
  {
    // Runs after the check of generated code, which contains the route table and the error codes.
    name: 'compatibility',
    command: 'node .ci/check-compatibility.ts',
    fix: 'Add beside the old instead of changing or removing it. A break that is meant: see MEANT in .ci/check-compatibility.ts.',
  },
  {
    name: 'api',
    command: 'node .ci/check-api.ts',
    fix: 'docs/api.md has the rules by number. A departure that is meant: see MEANT in .ci/check-api.ts.',
  },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  fail(`There is no step ${unknown.join(', ')}. The steps: ${steps.map(({ name }) => name).join(', ')}.`);
}

const start = performance.now();
for (const step of steps) {
  if (asked.length === 0 || asked.includes(step.name)) run(step);
}
console.log(`All checks passed in ${secondsSince(start)} s.`);

/** Runs a step. A passing step prints only its name, its time and its warnings. */
function run({ name, command, fix }: Step): void {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${secondsSince(begun).padStart(5)} s`);
  if (status !== 0) fail(`${stdout}${stderr}\n${name}: ${fix}`);
  if (/^note:|^Found [1-9]\d* warning/m.test(stdout)) console.log(stdout.trimEnd());
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
