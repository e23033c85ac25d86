// `node bench/pairs.ts ../other-checkout [pairs] [seconds] [ways]` measures this checkout against another one, by turns in
// pairs, since these machines change their speed within minutes: `node bench/pairs.ts ../before 10 10 rest,batch`. Each has
// a PostgreSQL of its own. Prints for each way the median of the pairs' ratios, and where nine of ten lie.
import { join, resolve } from 'node:path';
import { startService, type Measure, type Service } from './triggers/service.ts';
import { median } from './support/statistics.ts';
import { withWorkbench } from './support/workbench.ts';

/** Ways to send events: requests under way, and what makes them. */
const WAYS = {
  rest: { connections: 128, source: './triggers/requests.ts', events: 1 },
  grpc: { connections: 128, source: './triggers/grpc-requests.ts', events: 1, protocol: 'grpc' },
  batch: { connections: 4, source: './triggers/batch-requests.ts', events: 200 },
  async: { connections: 128, source: './triggers/async-requests.ts', events: 1 },
} as const;

type Way = keyof typeof WAYS;

/** Events a second, and seconds of the service's processor time for one. */
type Figures = { readonly rate: number; readonly cost: number };

/** Seconds until the code is hot. */
const WARM_UP = 6;

const [other, pairs = '10', seconds = '10', ways = Object.keys(WAYS).join()] = process.argv.slice(2);
if (other === undefined) {
  console.error('Say which checkout to measure against: node bench/pairs.ts ../other-checkout');
  process.exit(2);
}

await withWorkbench('pairs-before', (workbenchBefore) =>
  withWorkbench('pairs-now', async (workbenchNow) => {
    const before = await startService(workbenchBefore, join(resolve(other), 'src/main.ts'));
    const now = await startService(workbenchNow);
    for (const way of ways.split(',') as Way[]) {
      const measures = [await measureOf(before, way), await measureOf(now, way)] as const;
      for (const measure of measures) await measure(WARM_UP);
      const rates: number[] = [];
      const costs: number[] = [];
      for (let pair = 0; pair < Number(pairs); pair += 1) {
        // Who comes first changes, so that neither always meets what the other has left behind.
        const order = pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
        const measured = new Map<0 | 1, Figures>();
        for (const which of order) measured.set(which, await measures[which](Number(seconds)));
        const [was, is] = [measured.get(0)!, measured.get(1)!];
        rates.push(is.rate / was.rate);
        costs.push(is.cost / was.cost);
        console.log(`${way} ${pair + 1}: ${describe(is)} against ${describe(was)}`);
      }
      console.log(`${way}: events a second ${summary(rates)}; processor time of an event ${summary(costs)}`);
    }
    for (const service of [before, now]) await service.verify();
  }),
);

async function measureOf(service: Service, way: Way): Promise<(seconds: number) => Promise<Figures>> {
  const { connections, source, events } = WAYS[way];
  const protocol = way === 'grpc' ? WAYS.grpc.protocol : undefined;
  const load: Measure = await service.load({ protocol, events, source: import.meta.resolve(source) });
  return async (secondsLong) => {
    const begun = performance.now();
    const { answered, perSecond, serviceSeconds } = await load({ connections, seconds: secondsLong });
    if (way !== 'async') return { rate: perSecond, cost: serviceSeconds / answered };
    // What was accepted counts when it is applied.
    await service.untilApplied();
    return { rate: answered / ((performance.now() - begun) / 1_000), cost: serviceSeconds / answered };
  };
}

function describe({ rate, cost }: Figures): string {
  return `${rate.toFixed(0)}/s and ${(cost * 1e6).toFixed(0)} µs`;
}

/** The median of ratios, and the interval in which nine of ten of them lie. */
function summary(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const cut = Math.floor(ratios.length / 20);
  return `${median(ratios).toFixed(3)} (${sorted[cut]!.toFixed(2)} to ${sorted.at(-1 - cut)!.toFixed(2)})`;
}
