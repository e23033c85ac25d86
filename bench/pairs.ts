// `node bench/pairs.ts ../other-checkout [pairs] [seconds] [ways]` measures this checkout against another one, in alternating pairs:
// `node bench/pairs.ts ../before 10 10 rest,batch`; the way `feed` measures reads. For each way it prints the median of the pairs' ratios
// and the range of nine in ten. Settings of both may follow: `LAUREL_JOURNAL_RETENTION_DAYS=0` measures them without the journal.
import { join, resolve } from 'node:path';
import { startService } from './triggers/service.ts';
import { describePairs, type Figures, measurePairs, type Way } from './triggers/ways.ts';

const [other, pairs = '10', seconds = '10', ways = 'rest,grpc,batch,async', ...settings] = process.argv.slice(2);
if (other === undefined) {
  console.error('Say which checkout to measure against: node bench/pairs.ts ../other-checkout');
  process.exit(2);
}
const main = join(resolve(other), 'src/main.ts');
const env = Object.fromEntries(settings.map((setting) => setting.split('=', 2) as [string, string]));

for (const way of ways.split(',') as Way[]) {
  const measured = await measurePairs(
    { ours: (bench) => startService(bench, { env }), reference: (bench) => startService(bench, { main, env }) },
    way,
    {
      pairs: Number(pairs),
      seconds: Number(seconds),
      onPair: ({ ours, reference }) => console.log(`${way}: ${describe(ours)} against ${describe(reference)}`),
    },
  );
  const of = (figure: keyof Figures) => describePairs(measured, figure);
  console.log(`${way}: a second ${of('rate')}; processor time of each ${of('cost')}`);
}

function describe({ rate, cost }: Figures): string {
  return `${rate.toFixed(0)}/s and ${(cost * 1e6).toFixed(0)} µs`;
}
