import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark, Result, Settings } from './benchmark.ts';
import catalogue from './catalogue/catalogue.ts';
import consoleReads from './console/console.ts';
import gateway from './gateway/gateway.ts';
import growth from './growth/growth.ts';
import imports from './import/import.ts';
import { describeMachine } from './machine.ts';
import peers from './peers/peers.ts';
import { markdownReport, printedResult, printedTable } from './report.ts';
import shop from './shop/shop.ts';
import asyncEvents from './triggers/async.ts';
import triggers from './triggers/triggers.ts';
import webhooks from './webhooks/webhooks.ts';
import worlds from './worlds/worlds.ts';

const benchmarks: readonly Benchmark[] = [
  ...triggers,
  asyncEvents,
  ...peers,
  ...growth,
  ...catalogue,
  ...webhooks,
  ...gateway,
  ...imports,
  ...worlds,
  ...shop,
  ...consoleReads,
];

const USAGE = `Usage: npm run bench [-- <name> [--seconds N] [--rounds N]]

Without a name every benchmark is run and bench/RESULTS.md is written. The names:
${benchmarks.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`;

/** Rounds, where neither the command line nor the benchmark says how many. */
const ROUNDS = 3;

await main(process.argv.slice(2));

/** `npm run bench`. */
async function main(argv: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { seconds: { type: 'string', default: '10' }, rounds: { type: 'string' } },
    });
    const rounds = values.rounds === undefined ? undefined : countOf(values.rounds);
    const wanted = { seconds: countOf(values.seconds), rounds };
    if (positionals.length === 0) await runAll(wanted);
    else for (const benchmark of positionals.flatMap(benchmarksOf)) await runOne(benchmark, wanted);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

/** How long to measure, as the command line says it. Without rounds each benchmark has its own number of them. */
type Wanted = Pick<Settings, 'seconds'> & { readonly rounds: number | undefined };

async function runAll(wanted: Wanted): Promise<void> {
  const measured: { benchmark: Benchmark; result: Result }[] = [];
  for (const benchmark of benchmarks) measured.push({ benchmark, result: await runOne(benchmark, wanted) });
  console.log(printedTable(measured));
  const file = join(import.meta.dirname, 'RESULTS.md');
  const settings = { ...wanted, rounds: wanted.rounds ?? ROUNDS };
  await writeFile(file, markdownReport(measured, settings, await describeMachine(), new Date()));
}

async function runOne(benchmark: Benchmark, { seconds, rounds = benchmark.rounds ?? ROUNDS }: Wanted): Promise<Result> {
  console.log(`${benchmark.name}: ${benchmark.about}`);
  const result = await benchmark.run({ seconds, rounds });
  console.log(printedResult({ benchmark, result }));
  return result;
}

/** Those of that name, or of the group of that name: `growth` stands for `growth:triggers` and all beside it. */
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
