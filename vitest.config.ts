import { defineConfig } from 'vitest/config';
import { plainTotals } from './.ci/plain-totals.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One PostgreSQL for the whole run; each test file clones its own database from a template there.
    globalSetup: ['test/support/global-setup.ts'],
    // Processes, not threads: a test may send signals, and a native crash takes only its own file with it.
    pool: 'forks',
    // Each worker drives its own database on the one PostgreSQL; more of them than this only makes waiting longer.
    maxWorkers: 2,
    // Milliseconds. Far above what any test needs, so that a slow machine does not fail one, and a hang is still told.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', plainTotals],
  },
});
