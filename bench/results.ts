import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, KeptResult, Settings } from './benchmark.ts';
import { describeMachine } from './machine.ts';
import { markdownReport, type Measured } from './report.ts';

type KeptResults = Readonly<Record<string, KeptResult>>;

/** The figures, from which the report is written. */
const FIGURES = join(import.meta.dirname, 'results.json');

const REPORT = join(import.meta.dirname, 'RESULTS.md');

/** Replaces the kept result of a benchmark, and writes the report of all kept results. */
export async function keepResult(
  { benchmark, result }: Measured,
  settings: Settings,
  benchmarks: readonly Benchmark[],
): Promise<void> {
  const measuredOn = new Date().toISOString().slice(0, 10);
  const kept: KeptResults = { ...(await readKept()), [benchmark.name]: { measuredOn, ...settings, ...result } };
  const inOrder = benchmarks.flatMap((one) => {
    const found = kept[one.name];
    return found === undefined ? [] : [{ benchmark: one, result: found }];
  });
  const figures = Object.fromEntries(inOrder.map(({ benchmark: { name }, result: found }) => [name, found]));
  await writeFile(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  await writeFile(REPORT, markdownReport(inOrder, await describeMachine()));
}

async function readKept(): Promise<KeptResults> {
  return JSON.parse(await readFile(FIGURES, 'utf8')) as KeptResults;
}
