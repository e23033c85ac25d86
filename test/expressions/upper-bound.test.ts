import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpression } from '../../src/expressions/compile.ts';
import { compareDecimals, type Decimal, decimalOfNumber, decimalText } from '../../src/expressions/decimal.ts';
import { type Range, upperBound } from '../../src/expressions/upper-bound.ts';
import { environment, expressions, samples } from './random-expressions.ts';

const between = (min?: number, max?: number): Range => ({
  min: min === undefined ? undefined : decimalOfNumber(min),
  max: max === undefined ? undefined : decimalOfNumber(max),
});

const RANGES: Readonly<Record<string, Range>> = {
  'event.amount': between(0, 50),
  'event.price': between(2, 8),
  'event.change': between(-5, 5),
  'event.weight': between(1),
  'event.note': {},
};

const boundOf = (text: string) => {
  const bound = upperBound(text, (name) => RANGES[name] ?? {});
  return bound && decimalText(bound);
};

test.each([
  ['12.5', '12.5'],
  ['event.amount * 2', '100'],
  ['event.amount + event.price - 1', '57'],
  ['-event.change * 3', '15'],
  ['event.change * event.change', '25'],
  ['event.amount / event.price', '25'],
  ['event.amount / event.weight', '50'],
  ['event.price > 3 ? 10 : event.amount', '50'],
  ['math.least(event.amount, 20, event.note)', '20'],
  ['math.greatest(event.price, 9.75)', '9.75'],
  ['math.floor(event.amount / 3)', '16'],
  ['event.amount * event.weight', undefined],
  ['event.amount / event.change', undefined],
  ['event.note', undefined],
  ['size("abc") * 2', undefined],
  ['math.greatest(event.amount, event.weight)', undefined],
])('%s is at most %s', (text, bound) => {
  expect(boundOf(text)).toBe(bound);
});

test('no random expression over values in their ranges is above its bound', () => {
  let [bounded, reached] = [0, 0];
  const check = fc.property(expressions(false), samples(false), fc.boolean(), ({ text, type }, sample, isNarrow) => {
    fc.pre(type === 'NUMBER');
    // The narrowest ranges that hold for the sample, and wide ones.
    const rangeOf = (name: string): Range => {
      const value = environment.variables.get(name)?.read(sample) as Decimal | undefined;
      if (isNarrow) return value === undefined ? {} : { min: value, max: value };
      return between(-1_000_000_000, 1_000_000_000);
    };
    const bound = upperBound(text, rangeOf);
    const value = compileExpression(text, environment, 'NUMBER').run(sample) as Decimal | undefined;
    if (bound === undefined || value === undefined) return;
    bounded += 1;
    expect(compareDecimals(value, bound), `${text} is ${decimalText(value)}`).toBeLessThanOrEqual(0);
    if (compareDecimals(value, bound) === 0) reached += 1;
  });
  fc.assert(check, { seed: 1, numRuns: 10_000 });
  expect(Math.min(bounded, reached)).toBeGreaterThan(500);
});
