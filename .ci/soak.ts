// `npm run test:soak`: the long form of every test that has one, then minutes of mixed load (10 by default: `npm run test:soak -- 60`)
// against a separate process, with the figures. `npm run test:soak -- hosts 10` runs the long form of one fault test alone, here
// `test/faults/hosts.test.ts`. LAUREL_SEED repeats the choices of an earlier run.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

/** Seconds for the long form of each fault test. */
const EACH_FAULT = 60;

const MIXED_LOAD = 'test/faults/mixed-load.test.ts';

const [first = ''] = process.argv.slice(2);
const one = /^[a-z-]+$/.test(first) ? first : undefined;
const minutes = Number(process.argv[one ? 3 : 2] ?? 10);
if (!(minutes >= 2)) {
  console.error('Say for how many minutes the load is to last, 2 at least: npm run test:soak -- 10');
  process.exit(2);
}

/** Runs test files one after the other, so that each has the machine for itself. Returns whether all passed. */
function soak(seconds: number, ...args: string[]): boolean {
  const env = { ...process.env, LAUREL_SOAK_SECONDS: String(seconds) };
  return spawnSync('vitest', ['run', '--maxWorkers=1', ...args], { env, stdio: 'inherit' }).status === 0;
}

/** Every fault test, and the other tests with a long form, except the mixed load. */
function eachLongForm(): string[] {
  // `--exclude` does not reach the projects of vitest.config.ts.
  return globSync('test/**/*.test.ts').filter(
    (file) =>
      file !== MIXED_LOAD && (file.startsWith('test/faults/') || /shortOrLong/.test(readFileSync(file, 'utf8'))),
  );
}

const passed = one
  ? [soak(minutes * 60, `test/faults/${one}.test.ts`)]
  : [soak(EACH_FAULT, ...eachLongForm()), soak(minutes * 60, MIXED_LOAD)];
process.exit(passed.every(Boolean) ? 0 : 1);
