import { configDefaults, defineConfig } from 'vitest/config';
import { plainTotals } from './.ci/plain-totals.ts';

/** `npm run test:unit`: quick tests that need no PostgreSQL. None is started for them, so one that needs it fails. */
const UNIT = [
  'test/{engine,kernel,gateway}/**/*.test.ts',
  'test/persistence/{batcher,batcher-together,connection-slots,poller}.test.ts',
  'test/{clients/token,commands/settings,console/messages,contract/{contract-page,capacity-page}}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          // Those of a Citus: `npm run test:distributed`.
          exclude: [...configDefaults.exclude, ...UNIT, 'test/distributed/**'],
          // One PostgreSQL for the whole run; each test file clones its own database from a template there.
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
    // Processes, not threads: a test may send signals, and a native crash takes only its own file with it.
    pool: 'forks',
    // Each worker drives its own database on the one PostgreSQL; more of them than this only makes waiting longer.
    maxWorkers: 2,
    // Milliseconds. Far above what any test needs: those that ask every operation take 14 s where others work as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', plainTotals],
  },
});
