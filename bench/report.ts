import { type Benchmark, isMet, type KeptResult, ratioOf, type Result } from './benchmark.ts';
import type { Machine } from './machine.ts';

/** A benchmark and its result. */
export type Measured = { readonly benchmark: Benchmark; readonly result: Result };

const HEADINGS = ['name', 'ours', 'reference', 'ratio', 'aim', ''];

/** The table of all benchmarks, for a terminal. */
export function printedTable(measured: readonly Measured[]): string {
  const rows = [HEADINGS, ...measured.map(rowOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One benchmark with all its figures, for a terminal. */
export function printedResult({ benchmark, result }: Measured): string {
  const [, ours, reference, ratio, aim, verdict] = rowOf({ benchmark, result });
  const figures = { ours: ours!, reference: reference!, ratio: `${ratio}, aim ${aim}: ${verdict}`, ...result.details };
  const width = Math.max(...Object.keys(figures).map((key) => key.length));
  return `${Object.entries(figures)
    .map(([key, value]) => `  ${key.padEnd(width)}  ${value}`)
    .join('\n')}\n`;
}

/** The file with all kept results. */
export function markdownReport(
  measured: readonly { readonly benchmark: Benchmark; readonly result: KeptResult }[],
  machine: Machine,
): string {
  const table = markdownTable(measured.map(rowOf));
  const sections = measured.map(({ benchmark, result }) => {
    const { measuredOn, rounds, seconds } = result;
    const measuring = `Measured on ${measuredOn}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s.`;
    const figures = Object.entries(result.details).map(([key, value]) => `- ${key}: ${value}`);
    return [`## ${benchmark.name}`, benchmark.about, measuring, figures.join('\n')].join('\n\n');
  });
  return `# Results

Written by \`npm run bench\`; what is measured and how: [docs/benchmarks.md](../docs/benchmarks.md).
Ratios can be compared between machines, the other numbers cannot.

${table}

Medians of the rounds; the last ones on ${machine.processors}, ${machine.memory}, ${machine.system}; Node ${machine.node}, ${machine.postgres}.

${sections.join('\n\n')}
`;
}

function rowOf({ benchmark, result }: Measured): string[] {
  return [
    benchmark.name,
    `${readable(result.ours)} ${result.unit}`,
    `${readable(result.reference)} ${result.unit}`,
    ratioOf(result).toFixed(2),
    `${benchmark.lessIsBetter ? '<=' : '>='} ${benchmark.aim}`,
    isMet(benchmark, result) ? 'met' : 'missed',
  ];
}

/** A Markdown table, aligned as the formatter requires. */
function markdownTable(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...[HEADINGS, ...rows].map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** A number for people: times of a few milliseconds keep their decimals, large rates do not. */
function readable(value: number): string {
  return value < 100 ? value.toFixed(1) : whole(value);
}

/** A whole number with separated thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}
