import { parseArgs } from 'node:util';
import type { Benchmark, Result, Settings } from './benchmark.ts';
import { streamDelay } from './changes/delay.ts';
import { eventsWithFeed } from './changes/events.ts';
import streams from './changes/idle-streams.ts';
import catalogue from './catalogue/catalogue.ts';
import consoleReads from './console/console.ts';
import distributed from './distributed/distributed.ts';
import expressions from './expressions/expressions.ts';
import gateway from './gateway/gateway.ts';
import growth from './growth/growth.ts';
import imports from './import/import.ts';
import merging from './merging/merging.ts';
import lowered from './missions/lowered.ts';
import outside from './outside/outside.ts';
import peers from './peers/peers.ts';
import { printedResult, printedTable } from './report.ts';
import { keepResult } from './results.ts';
import retention from './retention/retention.ts';
import reversals from './reversals/reversals.ts';
import leaderboards from './leaderboards/leaderboards.ts';
import statistics from './statistics/statistics.ts';
import shop from './shop/shop.ts';
import asyncEvents from './triggers/async.ts';
import journal from './triggers/journal.ts';
import triggers from './triggers/triggers.ts';
import webhooks from './webhooks/webhooks.ts';
import worlds from './worlds/worlds.ts';

const benchmarks: readonly Benchmark[] = [
  ...triggers,
  outside,
  asyncEvents,
  ...journal,
  reversals,
  ...merging,
  ...lowered,
  ...statistics,
  ...leaderboards,
  ...peers,
  ...growth,
  ...catalogue,
  ...webhooks,
  ...gateway,
  ...streams,
  ...eventsWithFeed,
  ...streamDelay,
  ...imports,
  ...worlds,
  ...expressions,
  ...shop,
  ...consoleReads,
  ...retention,
  ...distributed,
];

const USAGE = `Usage: npm run bench [-- <name> [--keep] [--seconds N] [--rounds N]]

Without a name every benchmark is run. Results are kept then, and with --keep: they replace the former ones of the same benchmarks
in bench/results.json, from which bench/RESULTS.md is written. The names:
${benchmarks.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`;

/** Rounds, if neither the command line nor the benchmark has a number. */
const ROUNDS = 3;

await main(process.argv.slice(2));

/** The program of `npm run bench`. */
async function main(argv: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        keep: { type: 'boolean', default: false },
        seconds: { type: 'string', default: '10' },
        rounds: { type: 'string' },
      },
    });
    const rounds = values.rounds === undefined ? undefined : countOf(values.rounds);
    const wanted = { seconds: countOf(values.seconds), rounds };
    if (positionals.length === 0) await runAll(wanted);
    else for (const benchmark of positionals.flatMap(benchmarksOf)) await runOne(benchmark, wanted, values.keep);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

/** The length of the measurement from the command line. Without rounds, each benchmark uses its own number. */
type Wanted = Pick<Settings, 'seconds'> & { readonly rounds: number | undefined };

async function runAll(wanted: Wanted): Promise<void> {
  const measured: { benchmark: Benchmark; result: Result }[] = [];
  for (const benchmark of benchmarks) {
    if (benchmark.needs !== undefined && !process.env[benchmark.needs])
      console.log(`${benchmark.name}: left out, since ${benchmark.needs} is not set.\n`);
    else measured.push({ benchmark, result: await runOne(benchmark, wanted, true) });
  }
  console.log(printedTable(measured));
}

async function runOne(
  benchmark: Benchmark,
  { seconds, rounds = benchmark.rounds ?? ROUNDS }: Wanted,
  isKept: boolean,
): Promise<Result> {
  console.log(`${benchmark.name}: ${benchmark.about}`);
  const settings = { seconds, rounds };
  const result = await benchmark.run(settings);
  console.log(printedResult({ benchmark, result }));
  if (isKept) await keepResult({ benchmark, result }, settings, benchmarks);
  return result;
}

/** The benchmarks of a name or a group: `growth` includes `growth:triggers` and all others of the group. */
function benchmarksOf(wanted: string): Benchmark[] {
  const found = benchmarks.filter(({ name }) => name === wanted || name.startsWith(`${wanted}:`));
  if (found.length === 0) throw new Error(`There is no benchmark '${wanted}'.\n\n${USAGE}`);
  return found;
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`'${text}' is not a whole number above 0.\n\n${USAGE}`);
}
