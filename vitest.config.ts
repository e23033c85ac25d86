import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './.ci/longest-first.ts';
import { plainTotals } from './.ci/plain-totals.ts';
import { slowestTests } from './.ci/slowest-tests.ts';

/** `npm run test:unit`: quick tests that need no PostgreSQL. None is started for them, so one that needs it fails. */
const UNIT = [
  'test/{engine,kernel,gateway}/**/*.test.ts',
  'test/persistence/{batcher,batcher-together,connection-slots,poller}.test.ts',
  'test/persistence/driver/*.test.ts',
  'test/{clients/token,commands/settings,console/messages,contract/{contract-page,capacity-page,architecture-page}}.test.ts',
];

/** Files that have a process of their own, each with the reason. All others of a worker share one, and what it has imported. */
const ISOLATED: readonly string[] = [];

/** Of a Citus: `npm run test:distributed`. */
const DISTRIBUTED = 'test/distributed/**';

/** One PostgreSQL for the whole run; each test file clones its own database from a template there. */
const globalSetup = ['test/support/global-setup.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...UNIT, ...ISOLATED, DISTRIBUTED],
          globalSetup,
        },
      },
    ],
    // Processes, not threads: a test may send signals, and a native crash takes only its own file with it.
    pool: 'forks',
    // Importing the service takes a second of the processor, which each of some 400 files would take again.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // Each worker drives its own database on the one PostgreSQL; more of them than this only makes waiting longer.
    maxWorkers: 2,
    // Milliseconds. Far above what any test needs: those that ask every operation take 14 s where others work as well.
    // A property has eight seconds more for each world of test/properties/runs.ts.
    testTimeout: 60_000 + 8_000 * Number(process.env.LAUREL_PROPERTY_RUNS ?? 0),
    hookTimeout: 60_000,
    // A second by default, in which a busy machine does not draw a page.
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', slowestTests, plainTotals],
  },
});
