import { defineConfig } from 'vitest/config';
import { plainTotals } from './.ci/plain-totals.ts';

/** `npm run test:distributed`, on the Citus cluster at CITUS_URL: what a database on several nodes could break. */
export default defineConfig({
  test: {
    include: [
      'test/distributed/**/*.test.ts',
      'test/contract/{accounts,audiences,isolation,loyalty,marketplace,triggers,webhook-endpoints}.test.ts',
      'test/journeys/{campaigns,closing,points,products,rewards,stock-webhook,streaks}.test.ts',
      'test/operations/triggers/reversals-page.test.ts',
      'test/operations/accounts/{merge-accounts,merging-page}.test.ts',
      'test/operations/{statistics,levels,leaderboards,streaks,changes,refused-calls,support}/*.test.ts',
      'test/operations/activity/outlier*.test.ts',
      'test/operations/alerts/{alerts,settings}.test.ts',
      'test/operations/webhooks/{retries,ended-retries,resend}.test.ts',
      'test/operations/rewards/badges.test.ts',
      'test/operations/imports/load-statistics.test.ts',
      'test/properties/{interleaving,reversals,statistics,levels,leaderboards}.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    pool: 'forks',
    // The nodes and the load share the machine as a rule.
    maxWorkers: 1,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default', plainTotals],
  },
});
