// `node bench/pairs.ts ../other-checkout [pairs] [seconds] [ways]` measures this checkout against another one, by turns in
// pairs, since these machines change their speed within minutes: `node bench/pairs.ts ../before 10 10 rest,batch`; `feed` reads instead. Each has
// a PostgreSQL of its own, and both are started afresh after every second pair: one process takes 10 and another 16 µs an event
// to collect the same garbage, for its whole life. Prints for each way the median of the pairs' ratios, and where nine of ten lie.
import { join, resolve } from 'node:path';
import { startService, type Measure, type Service } from './triggers/service.ts';
import { median } from './support/statistics.ts';
import { withWorkbench } from './support/workbench.ts';

/** Ways to send events, and reads of the feed: requests under way, and what makes them. */
const WAYS = {
  rest: { connections: 128, source: './triggers/requests.ts', events: 1 },
  grpc: { connections: 128, source: './triggers/grpc-requests.ts', events: 1, protocol: 'grpc' },
  batch: { connections: 4, source: './triggers/batch-requests.ts', events: 200 },
  async: { connections: 128, source: './triggers/async-requests.ts', events: 1 },
  feed: { connections: 64, source: './triggers/feed-requests.ts', events: 1 },
} as const;

type Way = keyof typeof WAYS;

/** Events a second, and seconds of the service's processor time for one. */
type Figures = { readonly rate: number; readonly cost: number };

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** An even number, so that each comes first as often as the other. */
const PAIRS_OF_A_PROCESS = 2;

const [other, pairs = '10', seconds = '10', ways = 'rest,grpc,batch,async'] = process.argv.slice(2);
if (other === undefined) {
  console.error('Say which checkout to measure against: node bench/pairs.ts ../other-checkout');
  process.exit(2);
}

for (const way of ways.split(',') as Way[]) {
  const ratios: Figures[] = [];
  while (ratios.length < Number(pairs)) {
    const several = Math.min(PAIRS_OF_A_PROCESS, Number(pairs) - ratios.length);
    ratios.push(...(await pairsOfProcesses(way, several)));
  }
  const of = (figure: keyof Figures) => summary(ratios.map((ratio) => ratio[figure]));
  console.log(`${way}: a second ${of('rate')}; processor time of each ${of('cost')}`);
}

/** What this checkout does in pieces of what the other one does, in `count` pairs of measurements of the same two processes. */
async function pairsOfProcesses(way: Way, count: number): Promise<Figures[]> {
  return withWorkbench('pairs-before', (workbenchBefore) =>
    withWorkbench('pairs-now', async (workbenchNow) => {
      const before = await startService(workbenchBefore, join(resolve(other!), 'src/main.ts'));
      const now = await startService(workbenchNow);
      const measures = [await measureOf(before, way), await measureOf(now, way)] as const;
      for (const measure of measures) await measure(WARM_UP);
      const ratios: Figures[] = [];
      for (let pair = 0; pair < count; pair += 1) {
        // Who comes first changes, so that neither always meets what the other has left behind.
        const order = pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
        const measured = new Map<0 | 1, Figures>();
        for (const which of order) measured.set(which, await measures[which](Number(seconds)));
        const [was, is] = [measured.get(0)!, measured.get(1)!];
        ratios.push({ rate: is.rate / was.rate, cost: is.cost / was.cost });
        console.log(`${way}: ${describe(is)} against ${describe(was)}`);
      }
      for (const service of [before, now]) await service.verify();
      return ratios;
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
