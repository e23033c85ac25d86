import { defineConfig } from 'vitest/config';
import { plainTotals } from './.ci/plain-totals.ts';

/** `npm run test:distributed`: guarantees of the service once more, on the Citus cluster at CITUS_URL. */
export default defineConfig({
  test: {
    include: ['test/distributed/**/*.test.ts', 'test/journeys/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', plainTotals],
  },
});
