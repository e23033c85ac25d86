import type { Result, Settings } from '../benchmark.ts';
import { measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { inTurns } from '../support/in-turns.ts';
import { findPgbench } from '../support/pgbench.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { measureActivation } from './activation.ts';
import { ENTRIES } from './population.ts';
import { createReader, readMeasurement } from './reads.ts';
import { EVENT_CODES } from './trigger-requests.ts';
import { createWorld, type Measured, type World } from './world.ts';

/** The minimum of accounts in the small world, which has a hundredth of the large one's. */
const SMALL = 10_000;

/** Accounts of the large world, unless LAUREL_BENCH_ACCOUNTS is set: fewer load sooner. */
const LARGE = 1_000_000;

const CONNECTIONS = 128;

/** Seconds until the code is hot and the pages are in memory. */
const WARM_UP = 8;

const READ = 'per second over REST, with a million accounts, against their SELECTs by pgbench.';

export default measuredTogether(
  'growth',
  {
    triggers: {
      about:
        'Events applied per second over REST with a million accounts, five million assignments and five million ledger rows, against a hundredth of that.',
      aim: 0.8,
    },
    activation: {
      about: 'Milliseconds to activate a campaign for an audience of a million members, p50, against a thousand.',
      aim: 1.2,
      lessIsBetter: true,
    },
    feed: { about: `Reads of a feed ${READ}`, aim: 0.5 },
    points: { about: `Reads of the points ${READ}`, aim: 0.5 },
    'my-rewards': { about: `Reads of earned rewards ${READ}`, aim: 0.5 },
  },
  async (settings) => {
    const accountCount = accountsWanted();
    const pgbench = await findPgbench();
    return withWorkbench('growth', async (workbench) => {
      const large = await createWorld(workbench, 'large', accountCount);
      const small = await createWorld(workbench, 'small', Math.max(SMALL, Math.round(accountCount / 100)));
      const triggers = await measureTriggers(small, large, settings);
      const measureRead = readMeasurement(workbench, large, pgbench, await createReader(large));
      const feed = await measureRead('feed', settings);
      const points = await measureRead('points', settings);
      const myRewards = await measureRead('my-rewards', settings);
      // Runs last, because each campaign that it leaves is more work for a feed.
      const activation = await measureActivation(large);
      return { triggers, activation, feed, points, 'my-rewards': myRewards };
    });
  },
);

function accountsWanted(): number {
  const text = process.env['LAUREL_BENCH_ACCOUNTS'] || String(LARGE);
  const count = Number(text);
  if (Number.isInteger(count) && count >= SMALL) return count;
  throw new Error(`LAUREL_BENCH_ACCOUNTS must be a whole number of at least ${SMALL}, not '${text}'.`);
}

async function measureTriggers(small: World, large: World, settings: Settings): Promise<Result> {
  for (const world of [small, large]) await world.measure({ connections: CONNECTIONS, seconds: WARM_UP });
  const measure = (world: World) => (seconds: number) => world.measure({ connections: CONNECTIONS, seconds });
  const turns = await inTurns(settings, measure(small), measure(large));
  for (const world of [small, large]) await world.verify();
  const typical = (reports: readonly Measured[], figure: (report: Measured) => number) => median(reports.map(figure));
  return {
    unit: 'events/s',
    ours: typical(turns.ours, ({ perSecond }) => perSecond),
    reference: typical(turns.reference, ({ perSecond }) => perSecond),
    details: {
      rows: rowsOf(large),
      'loaded in': `${whole(large.populatedIn)} s`,
      'latency p50': `${typical(turns.ours, ({ p50 }) => p50).toFixed(1)} ms with ${CONNECTIONS} connections`,
      'latency p99': `${typical(turns.ours, ({ p99 }) => p99).toFixed(1)} ms`,
      'service, processor time': `${microsOf(turns.ours)} per event, against ${microsOf(turns.reference)}`,
      verified: 'every answered event is in the database exactly once, in both worlds',
    },
  };
}

function microsOf(reports: readonly Measured[]): string {
  return `${whole(median(reports.map(({ serviceMicros }) => serviceMicros)))} µs`;
}

function rowsOf({ accountCount }: World): string {
  const assignments = whole(accountCount * EVENT_CODES.length);
  return `${whole(accountCount)} accounts, ${assignments} assignments, ${whole(accountCount * ENTRIES)} ledger rows`;
}
