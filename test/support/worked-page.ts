/** A line of a worked example: its name, the calculation, and the page's result. */
export type WorkedLine = { readonly name: string; readonly calculation: string; readonly result: string };

/** A page whose tables define figures and calculate with them. */
export type WorkedPage = {
  /** Figures for the whole page, by name. */
  readonly figures: ReadonlyMap<string, number>;
  readonly examples: readonly WorkedExample[];
};

/** A section of the page with its given figures and its calculations. */
export type WorkedExample = {
  readonly title: string;
  readonly given: ReadonlyMap<string, number>;
  readonly lines: readonly WorkedLine[];
};

/**
 * Reads the tables of a page: one that begins with `Figure` defines figures of the page, one with `Given` those of its section, and one
 * with `Follows` calculates.
 */
export function readWorkedPage(markdown: string): WorkedPage {
  const figures = new Map<string, number>();
  const examples: WorkedExample[] = [];
  for (const section of markdown.split(/^(?=### )/m)) {
    const given = new Map<string, number>();
    const lines: WorkedLine[] = [];
    for (const [heading = '', , ...rows] of tablesOf(section)) {
      const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
      if (/^\| Figure\b/.test(heading)) cells.forEach(([, name, value]) => define(figures, name, value));
      if (/^\| Given\b/.test(heading)) cells.forEach(([, name, value]) => define(given, name, value));
      if (/^\| Follows\b/.test(heading))
        lines.push(
          ...cells.map(([, name, calculation, result]) => ({
            name: bare(name),
            calculation: calculation!,
            result: result!,
          })),
        );
    }
    if (lines.length > 0) examples.push({ title: /^### (.*)/.exec(section)?.[1] ?? 'The page', given, lines });
  }
  return { figures, examples };
}

/**
 * The calculated result of each line of an example, with the decimals and the unit of the page's result.
 * @throws Error for a name without an earlier definition
 */
export function worked({ figures }: WorkedPage, { given, lines }: WorkedExample): readonly WorkedLine[] {
  const names = new Map([...figures, ...given]);
  return lines.map(({ name, calculation, result }) => {
    const value = calculate(calculation, names);
    if (name !== '') names.set(name, value);
    const [, amount = '', unit = ''] = /^([\d.,]+) ?(.*)$/.exec(result) ?? [];
    const decimals = amount.split('.')[1]?.length ?? 0;
    const shown = (value / factorOf(unit)).toLocaleString('en-GB', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    return { name, calculation, result: unit === '' ? shown : `${shown} ${unit}` };
  });
}

/** Decimal units, as for disks. */
const FACTORS: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function factorOf(unit: string): number {
  return FACTORS[unit.split(' ')[0]!] ?? 1;
}

/** Calculates sums of products and quotients, from left to right. */
function calculate(calculation: string, names: ReadonlyMap<string, number>): number {
  return calculation
    .split(' + ')
    .map((term) => {
      const [first = '', ...rest] = term.split(/ ([×/]) /);
      let value = valueOf(first, names);
      for (let index = 0; index < rest.length; index += 2) {
        const factor = valueOf(rest[index + 1]!, names);
        value = rest[index] === '×' ? value * factor : value / factor;
      }
      return value;
    })
    .reduce((sum, value) => sum + value, 0);
}

function valueOf(text: string, names: ReadonlyMap<string, number>): number {
  const value = names.get(bare(text)) ?? numberOf(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`'${text}' is no number, and no figure of the page or line before has this name.`);
}

function define(into: Map<string, number>, name = '', value = ''): void {
  const number = numberOf(value);
  if (!Number.isFinite(number)) throw new Error(`The figure ${name} is no number: '${value}'.`);
  into.set(bare(name), number);
}

function numberOf(text: string): number {
  return /^[\d,]+(\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN;
}

/** A name without its code font and the words after it. */
function bare(text = ''): string {
  return /`([^`]+)`/.exec(text)?.[1] ?? '';
}

/** The lines of each table. */
function tablesOf(markdown: string): string[][] {
  return [...markdown.matchAll(/(?:^\|.*\|$\n?)+/gm)].map(([table]) => table.trimEnd().split('\n'));
}
