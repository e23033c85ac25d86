import { median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import type { Measure, Service } from './service.ts';

/** Ways to send events, and reads of the feed: the number of concurrent requests, and their source. */
export const WAYS = {
  rest: { connections: 128, source: './requests.ts', events: 1 },
  grpc: { connections: 128, source: './grpc-requests.ts', events: 1, protocol: 'grpc' },
  batch: { connections: 4, source: './batch-requests.ts', events: 200 },
  async: { connections: 128, source: './async-requests.ts', events: 1 },
  feed: { connections: 64, source: './feed-requests.ts', events: 1 },
} as const;

export type Way = keyof typeof WAYS;

/** Events per second, and seconds of the service's processor time per event. */
export type Figures = { readonly rate: number; readonly cost: number };

/** The measurements of both sides in one turn. */
export type Pair = { readonly ours: Figures; readonly reference: Figures };

/** Two services to compare, each on a separate PostgreSQL. */
export type Compared = {
  readonly ours: (workbench: Workbench) => Promise<Service>;
  readonly reference: (workbench: Workbench) => Promise<Service>;
};

/** The length of the measurements. */
export type PairSettings = {
  readonly pairs: number;
  /** Seconds of each measurement. */
  readonly seconds: number;
  /** Called with each pair. */
  readonly onPair?: (pair: Pair) => void;
};

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** An even number, so that each side is first equally often. */
const PAIRS_OF_A_PROCESS = 2;

/**
 * Measures two services in alternating pairs, since machines change their speed within minutes. Both are restarted after every second pair:
 * one process takes 10 and another 16 µs per event to collect the same garbage, for its whole life.
 */
export async function measurePairs(compared: Compared, way: Way, { pairs, ...each }: PairSettings): Promise<Pair[]> {
  const measured: Pair[] = [];
  while (measured.length < pairs) {
    const several = Math.min(PAIRS_OF_A_PROCESS, pairs - measured.length);
    measured.push(...(await pairsOfProcesses(compared, way, { ...each, pairs: several })));
  }
  return measured;
}

function pairsOfProcesses(compared: Compared, way: Way, { pairs, seconds, onPair }: PairSettings): Promise<Pair[]> {
  return withWorkbench('pairs-reference', (referenceBench) =>
    withWorkbench('pairs-ours', async (oursBench) => {
      const services = { reference: await compared.reference(referenceBench), ours: await compared.ours(oursBench) };
      const measures = {
        reference: await measureOf(services.reference, way),
        ours: await measureOf(services.ours, way),
      };
      for (const measure of Object.values(measures)) await measure(WARM_UP);
      const measured: Pair[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        // The order alternates, so that neither side always runs after the other.
        const oursFirst = pair % 2 === 1 ? await measures.ours(seconds) : undefined;
        const reference = await measures.reference(seconds);
        const both = { ours: oursFirst ?? (await measures.ours(seconds)), reference };
        measured.push(both);
        onPair?.(both);
      }
      for (const service of Object.values(services)) await service.verify();
      return measured;
    }),
  );
}

async function measureOf(service: Service, way: Way): Promise<(seconds: number) => Promise<Figures>> {
  const { connections, source, events } = WAYS[way];
  const protocol = way === 'grpc' ? WAYS.grpc.protocol : undefined;
  const load: Measure = await service.load({
    protocol,
    events,
    source: import.meta.resolve(source),
    isRead: way === 'feed',
  });
  return async (secondsLong) => {
    const begun = performance.now();
    const { answered, perSecond, serviceSeconds } = await load({ connections, seconds: secondsLong });
    if (way !== 'async') return { rate: perSecond, cost: serviceSeconds / answered };
    // Accepted events count when they are applied.
    await service.untilApplied();
    return { rate: answered / ((performance.now() - begun) / 1_000), cost: serviceSeconds / answered };
  };
}

/** The median of the pairs' ratios in a figure, and the interval of nine in ten of them. */
export function describePairs(pairs: readonly Pair[], figure: keyof Figures): string {
  const sorted = pairs.map(({ ours, reference }) => ours[figure] / reference[figure]).toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 20);
  return `${median(sorted).toFixed(3)} (${sorted[cut]!.toFixed(2)} to ${sorted.at(-1 - cut)!.toFixed(2)})`;
}
