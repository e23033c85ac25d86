import type { Benchmark, Result, Settings } from '../benchmark.ts';
import { median } from '../support/statistics.ts';
import { EVENTS_PER_BATCH } from './batch-requests.ts';
import { startService } from './service.ts';
import { type Compared, describePairs, measurePairs, type Pair, type Way } from './ways.ts';

/** Pairs by default. */
const PAIRS = 10;

/** The service with the journal, as by default, and without. */
const COMPARED: Compared = {
  ours: startService,
  reference: (workbench) => startService(workbench, { env: { LAUREL_JOURNAL_RETENTION_DAYS: '0' } }),
};

const SENT: readonly (readonly [Way, string])[] = [
  ['rest', 'over REST'],
  ['grpc', 'by unary gRPC calls'],
  ['batch', `${EVENTS_PER_BATCH} in each REST request`],
];

export default SENT.map(([way, sent]): Benchmark => ({
  name: `journal:${way}`,
  about: `Events applied per second ${sent}, against the same without the journal of events.`,
  aim: 0.95,
  rounds: PAIRS,
  run: (settings) => measure(way, settings),
}));

async function measure(way: Way, { rounds, seconds }: Settings): Promise<Result> {
  const pairs = await measurePairs(COMPARED, way, { pairs: rounds, seconds });
  const typical = (side: keyof Pair) => median(pairs.map((pair) => pair[side].rate));
  return {
    unit: 'events/s',
    ours: typical('ours'),
    reference: typical('reference'),
    details: {
      'ratio of the pairs': describePairs(pairs, 'rate'),
      'processor time of the service for an event, ratio of the pairs': describePairs(pairs, 'cost'),
    },
  };
}
