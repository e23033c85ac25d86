import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { inTurns } from '../support/in-turns.ts';
import { findPgbench } from '../support/pgbench.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { whole } from '../report.ts';
import { withWorkbench } from '../support/workbench.ts';
import { bestClientCount } from '../triggers/floor.ts';
import { chests, claims, products, publications, type SetUp } from './kinds.ts';
import { type Contest, createContest, type Measured } from './measured.ts';

/** Rounds by default: the ratios of fewer vary too much. */
const ROUNDS = 5;

/** Seconds until the code is hot. */
const WARM_UP = 4;

/** Seconds for each trial of a number of connections. */
const TRIAL = 3;

/** Numbers of callers to try by default. */
const CALLERS = [64, 128, 256];

/** Buyers of a flash sale. */
const BUYERS = 128;

/** Publications, or products, outside a flash sale. */
const MANY = 64;

const AGAINST = 'over REST, against pgbench with one hand-written transaction for each on the same rows';

/** The measurements of a kind. */
type Part = {
  readonly about: string;
  readonly aim: number;
  readonly unit: string;
  readonly setUp: SetUp;
  /** Numbers of callers to try. */
  readonly callers: readonly number[];
};

const parts: Readonly<Record<string, Part>> = {
  'flash-sale': {
    about: `Purchases per second of one publication by ${BUYERS} buyers ${AGAINST}.`,
    aim: 3,
    unit: 'purchases/s',
    setUp: publications(1),
    callers: [BUYERS],
  },
  publications: {
    about: `Purchases per second of ${MANY} publications ${AGAINST}.`,
    aim: 1.2,
    unit: 'purchases/s',
    setUp: publications(MANY),
    callers: CALLERS,
  },
  redeems: {
    about: `Purchases per second of ${MANY} products for points ${AGAINST}.`,
    aim: 1,
    unit: 'purchases/s',
    setUp: products(MANY),
    callers: CALLERS,
  },
  claims: {
    about: `Claims per second of completed campaigns ${AGAINST}.`,
    aim: 1,
    unit: 'claims/s',
    setUp: claims,
    callers: CALLERS,
  },
  chests: {
    about: `Chests opened per second ${AGAINST}.`,
    aim: 1,
    unit: 'chests/s',
    setUp: chests,
    callers: CALLERS,
  },
};

const benchmarks: readonly Benchmark[] = Object.entries(parts).map(([name, part]) => ({
  name: `shop:${name}`,
  about: part.about,
  aim: part.aim,
  rounds: ROUNDS,
  run: (settings) => measure(part, settings),
}));

export default benchmarks;

async function measure(part: Part, settings: Settings): Promise<Result> {
  // First, so that a missing pgbench fails before any set-up.
  const pgbench = await findPgbench();
  return withWorkbench('shop', async (workbench) => {
    const contest = await createContest(workbench, pgbench, part.setUp);
    const callers = await bestCallerCount(contest, part.callers);
    const clients = await bestClientCount(contest.byHand);
    const turns = await inTurns(
      settings,
      (seconds) => contest.byHand({ clients, seconds }),
      (seconds) => contest.overRest({ connections: callers, seconds }),
    );
    await contest.verify();
    const byHand = turns.reference;
    const ours = turns.ours.map(({ perSecond }) => perSecond);
    const reference = byHand.map(({ transactionsPerSecond }) => transactionsPerSecond);
    const typical = (figure: (measured: Measured) => number) => median(turns.ours.map(figure));
    return {
      unit: part.unit,
      ours: median(ours),
      reference: median(reference),
      details: {
        'ratio of a round': describeRatios(ours, reference),
        'latency p50': `${milliseconds(turns.ours.map(({ p50 }) => p50))} with ${callers} callers`,
        'latency p99': milliseconds(turns.ours.map(({ p99 }) => p99)),
        'service, processor time': `${whole(typical(({ serviceMicros }) => serviceMicros))} µs for each`,
        'load generator, processor time': `${whole(typical((run) => (run.processorSeconds * 1e6) / run.answered))} µs for each`,
        pgbench: `${clients} connections, ${milliseconds(byHand.map(({ averageLatency }) => averageLatency))} on average`,
        verified:
          'whatever was answered is in the database exactly once, and so is what was done by hand; all sums are right',
      },
    };
  });
}

function milliseconds(values: readonly number[]): string {
  return `${median(values).toFixed(1)} ms`;
}

/** The number of callers with which the service is fastest here. It also warms the service up. */
async function bestCallerCount({ overRest }: Contest, choices: readonly number[]): Promise<number> {
  await overRest({ connections: choices[0]!, seconds: WARM_UP });
  if (choices.length === 1) return choices[0]!;
  let best = { connections: 0, perSecond: 0 };
  for (const connections of choices) {
    const { perSecond } = await overRest({ connections, seconds: TRIAL });
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  return best.connections;
}
