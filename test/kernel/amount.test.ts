import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX,
  amountFromDecimal,
  amountFromNumber,
  amountToDecimal,
  amountToNumber,
} from '../../src/kernel/amount.ts';

const read = (value: number) => amountFromNumber(value, 'amount');

/** The exact value of a double in units of 2^-1074, in which every double is a whole number. */
function exactly(value: number): bigint {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0]!;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}

/** The distance from a double to the next one further from zero, in the same units. */
function ulp(value: number): bigint {
  const exponent = (new BigUint64Array(new Float64Array([value]).buffer)[0]! >> 52n) & 0x7ffn;
  return 1n << (exponent === 0n ? 0n : exponent - 1n);
}

const ONE = 1n << 1074n;
const abs = (value: bigint) => (value < 0n ? -value : value);

/** The rule in exact arithmetic: the nearest amount, if the number is within max(1e-9, 4 ulps) of its decimal form. */
function naive(value: number): bigint | undefined {
  if (!Number.isFinite(value)) return undefined;
  const scaled = exactly(value) * 10_000n;
  const lower = scaled / ONE - (scaled < 0n && scaled % ONE !== 0n ? 1n : 0n);
  const amount = abs(scaled - lower * ONE) * 2n <= ONE ? lower : lower + 1n;
  const distance = abs(exactly(value) - exactly(Number(amount) / 10_000));
  const near = distance <= exactly(1e-9) || distance <= 4n * ulp(value);
  return near && abs(amount) <= BigInt(AMOUNT_MAX) * 10_000n ? amount : undefined;
}

function expectLikeNaive(value: number): void {
  const amount = naive(value);
  if (amount === undefined) expect(() => read(value), `${value}`).toThrow(/amount/);
  else expect(read(value), `${value}`).toBe(amount);
}

describe('an amount from a number', () => {
  test.each([
    [3 * 1.1, 33_000n],
    [0.1 + 0.2, 3_000n],
    [1.1 * 1.1, 12_100n],
    [100 * 1.15, 1_150_000n],
    [-3 * 1.1, -33_000n],
    [1e-10, 0n],
    [AMOUNT_MAX, 10_000_000_000_000n],
    [AMOUNT_MAX + 2 ** -22, 10_000_000_000_000n],
    [999_999_999.9999 + 2 ** -22, 9_999_999_999_999n],
  ])('%d is rounded to four decimals', (value, amount) => {
    expect(read(value)).toBe(amount);
  });

  test.each([1.00005, 0.00001, 1e-8, 3.30001, 999_999_999.99995, AMOUNT_MAX + 0.0001, 2e9, NaN, Infinity, -Infinity])(
    '%d is refused',
    (value) => {
      expect(() => read(value)).toThrow(/amount/);
    },
  );

  test('is what exact arithmetic says, for sums and products of prices', () => {
    const price = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100);
    const factor = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(price, price, factor, (one, other, times) => {
        expectLikeNaive(one + other);
        expectLikeNaive(one * times);
        // Amounts with two decimals keep two, however long the calculation.
        expect(read(one * times)).toBe(BigInt(Math.round(one * 100)) * BigInt(times) * 100n);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is what exact arithmetic says around every four-decimal value, up to the largest', () => {
    const units = fc.oneof(
      fc.bigInt({ min: -10_000_000_000_001n, max: 10_000_000_000_001n }),
      fc.bigInt({ min: 9_999_999_990_000n, max: 10_000_000_000_001n }),
      fc.bigInt({ min: -20_000n, max: 20_000n }),
      fc.nat(33).map((power) => 10_000n << BigInt(power)),
    );
    const off = fc.oneof(
      fc.integer({ min: -8, max: 8 }).map((steps) => (value: number) => {
        const float = new Float64Array([value]);
        new BigUint64Array(float.buffer)[0]! += BigInt(value === 0 ? Math.abs(steps) : steps);
        return float[0]!;
      }),
      fc.double({ min: -3e-9, max: 3e-9, noNaN: true }).map((more) => (value: number) => value + more),
      fc.double({ min: -1e-4, max: 1e-4, noNaN: true }).map((more) => (value: number) => value + more),
    );
    fc.assert(
      fc.property(units, off, (amount, move) => expectLikeNaive(move(Number(amount) / 10_000))),
      { numRuns: 10_000 },
    );
  });

  test('is what exact arithmetic says, for any number', () => {
    fc.assert(
      fc.property(fc.double({ min: -2e9, max: 2e9 }), (value) => expectLikeNaive(value)),
      { numRuns: 5_000 },
    );
  });

  test('comes back as it was sent, as a number and as PostgreSQL writes it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -10_000_000_000_000n, max: 10_000_000_000_000n }), (amount) => {
        expect(read(amountToNumber(amount))).toBe(amount);
        expect(amountFromDecimal(amountToDecimal(amount))).toBe(amount);
      }),
    );
  });
});
