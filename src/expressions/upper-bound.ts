import { compareDecimals, type Decimal, dividedBy, floor, minus, negated, plus, times } from './decimal.ts';
import { parseExpression, type Syntax } from './syntax.ts';

/** The values that a number can have, both ends included; a missing end is unknown. */
export type Range = { readonly min?: Decimal | undefined; readonly max?: Decimal | undefined };

/**
 * The largest value that a NUMBER expression can have, by the ranges of its names; undefined if no limit is known. Parts that are not
 * arithmetic have no known range.
 * @param text an expression that was checked
 * @param rangeOf the range of a name such as `event.price`
 */
export function upperBound(text: string, rangeOf: (name: string) => Range): Decimal | undefined {
  return range(parseExpression(text)).max;

  function range(syntax: Syntax): Range {
    if (syntax.kind === 'number') return { min: syntax.value, max: syntax.value };
    if (syntax.kind === 'name') return rangeOf(syntax.name);
    if (syntax.kind !== 'call') return {};
    return arithmetic[syntax.name]?.(syntax.args.map(range)) ?? {};
  }
}

/** The range of each operation, by the ranges of its arguments. Operations that are missing have no known range. */
const arithmetic: Readonly<Record<string, (ranges: readonly Range[]) => Range>> = {
  '+': ([a = {}, b = {}]) => ({ min: each(plus, a.min, b.min), max: each(plus, a.max, b.max) }),
  '-': ([a = {}, b = {}]) => ({ min: each(minus, a.min, b.max), max: each(minus, a.max, b.min) }),
  '-x': ([{ min, max } = {}]) => ({ min: max && negated(max), max: min && negated(min) }),
  '*': ([a = {}, b = {}]) => product(a, b),
  '/': ([a = {}, b = {}]) => quotient(a, b),
  // The range of the condition is not needed: the value is one of the two.
  '?:': ([, a = {}, b = {}]) => ({ min: lowest([a.min, b.min]), max: highest([a.max, b.max]) }),
  'math.least': (all) => ({ min: lowest(all.map(({ min }) => min)), max: lowest(known(all.map(({ max }) => max))) }),
  'math.greatest': (all) => ({
    min: highest(known(all.map(({ min }) => min))),
    max: highest(all.map(({ max }) => max)),
  }),
  'math.floor': ([{ min, max } = {}]) => ({ min: min && floor(min), max: max && floor(max) }),
  size: () => ({ min: ZERO }),
};

const ZERO: Decimal = { coefficient: 0n, scale: 0 };

type Operation = (a: Decimal, b: Decimal) => Decimal | undefined;

function each(operation: Operation, a: Decimal | undefined, b: Decimal | undefined): Decimal | undefined {
  return a === undefined || b === undefined ? undefined : operation(a, b);
}

function product(a: Range, b: Range): Range {
  const corners = cornersOf(times, a, b);
  if (corners !== undefined) return corners;
  // Without all four ends only factors that are never negative have a limit, below.
  if (!isPositive(a, 0) || !isPositive(b, 0)) return {};
  return { min: times(a.min!, b.min!), max: each(times, a.max, b.max) };
}

/** A quotient has a range if its divisor keeps away from zero. */
function quotient(a: Range, b: Range): Range {
  if (!isPositive(b, 1)) return {};
  const corners = cornersOf(dividedBy, a, b);
  if (corners !== undefined) return corners;
  return isPositive(a, 0) ? { min: ZERO, max: each(dividedBy, a.max, b.min) } : {};
}

/** The range between the results at all ends; undefined if an end is unknown, or a result has too many digits. */
function cornersOf(operation: Operation, a: Range, b: Range): Range | undefined {
  const ends = [a.min, a.max].flatMap((one) => [b.min, b.max].map((other) => each(operation, one, other)));
  const [min, max] = [lowest(ends), highest(ends)];
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** Whether a range has no number below 0, and with `least` 1 none below or equal to 0. */
function isPositive({ min }: Range, least: 0 | 1): boolean {
  return min !== undefined && compareDecimals(min, ZERO) >= least;
}

function known(ends: readonly (Decimal | undefined)[]): Decimal[] {
  return ends.filter((end) => end !== undefined);
}

/** The lowest of some ends; undefined if one is unknown, or there is none. */
function lowest(ends: readonly (Decimal | undefined)[]): Decimal | undefined {
  return extreme(ends, -1);
}

/** The highest of some ends; undefined if one is unknown, or there is none. */
function highest(ends: readonly (Decimal | undefined)[]): Decimal | undefined {
  return extreme(ends, 1);
}

function extreme(ends: readonly (Decimal | undefined)[], sign: 1 | -1): Decimal | undefined {
  const all = known(ends);
  if (all.length < ends.length) return undefined;
  return all.toSorted((a, b) => sign * compareDecimals(b, a))[0];
}
