import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark, Result, Settings } from './benchmark.ts';
import catalogue from './catalogue/catalogue.ts';
import gateway from './gateway/gateway.ts';
import growth from './growth/growth.ts';
import imports from './import/import.ts';
import { describeMachine } from './machine.ts';
import peers from './peers/peers.ts';
import { markdownReport, printedResult, printedTable } from './report.ts';
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
];

const USAGE = `Usage: npm run bench [-- <name> [--seconds N] [--rounds N]]

Without a name every benchmark is run and bench/RESULTS.md is written. The names:
${benchmarks.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`;

await main(process.argv.slice(2));

/** `npm run bench`. */
async function main(argv: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { seconds: { type: 'string', default: '10' }, rounds: { type: 'string', default: '3' } },
    });
    const settings = { seconds: countOf(values.seconds), rounds: countOf(values.rounds) };
    if (positionals.length === 0) await runAll(settings);
    else for (const benchmark of positionals.flatMap(benchmarksOf)) await runOne(benchmark, settings);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

async function runAll(settings: Settings): Promise<void> {
  const measured: { benchmark: Benchmark; result: Result }[] = [];
  for (const benchmark of benchmarks) measured.push({ benchmark, result: await runOne(benchmark, settings) });
  console.log(printedTable(measured));
  const file = join(import.meta.dirname, 'RESULTS.md');
  await writeFile(file, markdownReport(measured, settings, await describeMachine(), new Date()));
}

async function runOne(benchmark: Benchmark, settings: Settings): Promise<Result> {
  console.log(`${benchmark.name}: ${benchmark.about}`);
  const result = await benchmark.run(settings);
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
