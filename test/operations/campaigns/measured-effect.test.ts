import { describe, expect, test } from 'vitest';
import { type GroupSums, measuredEffect } from '../../../src/campaigns/statistics/measured-effect.ts';

/** Random numbers from 0 to 1 by a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The chances that an account has at most 0, 1, 2 ... events, of the negative binomial distribution: few accounts do most. */
function chances(mean: number, size: number): number[] {
  const success = size / (size + mean);
  const sums: number[] = [];
  let [chance, sum] = [success ** size, 0];
  for (let count = 0; sum < 1 - 1e-12; count += 1) {
    sum += chance;
    sums.push(sum);
    chance *= ((size + count) / (count + 1)) * (1 - success);
  }
  return sums;
}

function sumsOf(values: Iterable<number>): GroupSums {
  let [accounts, sum, squares] = [0, 0, 0];
  for (const value of values) {
    accounts += 1;
    sum += value;
    squares += value * value;
  }
  return { accounts, sum, squares };
}

function* drawn(count: number, cumulated: readonly number[], random: () => number): Iterable<number> {
  for (let index = 0; index < count; index += 1) {
    const draw = random();
    let value = 0;
    while (value < cumulated.length - 1 && draw > cumulated[value]!) value += 1;
    yield value;
  }
}

const RUNS = 10_000;
const MEAN = 4;

test.each([0, 3, 10])('with a true effect of %i percent, 95 of 100 intervals hold it', (percent) => {
  const random = randomOf(percent + 1);
  const effect = (MEAN * percent) / 100;
  const [offered, heldBack] = [chances(MEAN + effect, 2), chances(MEAN, 2)];
  let [held, differs] = [0, 0];
  for (let run = 0; run < RUNS; run += 1) {
    const { interval, verdict } = measuredEffect(
      sumsOf(drawn(900, offered, random)),
      sumsOf(drawn(100, heldBack, random)),
    );
    held += Number(interval!.low <= effect && effect <= interval!.high);
    differs += Number(verdict !== 'MAY_BE_CHANCE');
  }
  expect(held / RUNS).toBeGreaterThan(0.94);
  expect(held / RUNS).toBeLessThan(0.96);
  // Without an effect the words are wrong as often as the interval.
  if (percent === 0) expect(differs).toBe(RUNS - held);
});

describe('the words', () => {
  const group = (accounts: number, value: number) =>
    sumsOf(Array.from({ length: accounts }, (_, index) => value + (index % 2)));

  test.each([
    ['HIGHER', group(900, 6), group(100, 5)],
    ['LOWER', group(900, 4), group(100, 5)],
    ['MAY_BE_CHANCE', group(900, 5), group(100, 5)],
    ['TOO_FEW_ACCOUNTS', group(900, 6), group(29, 5)],
    ['TOO_FEW_ACCOUNTS', group(29, 6), group(100, 5)],
    ['TOO_FEW_ACCOUNTS', group(0, 0), group(100, 5)],
    // Nobody has an event.
    ['MAY_BE_CHANCE', sumsOf(Array.from({ length: 40 }, () => 0)), sumsOf(Array.from({ length: 40 }, () => 0))],
  ] as const)('are %s', (verdict, offered, heldBack) => {
    const effect = measuredEffect(offered, heldBack);
    expect(effect.verdict).toBe(verdict);
    expect(effect.interval === undefined).toBe(verdict === 'TOO_FEW_ACCOUNTS');
  });

  test('the interval is that of a textbook: two groups of 40 with variances of 4 and 9', () => {
    const spread = (mean: number, deviation: number) =>
      sumsOf(Array.from({ length: 40 }, (_, index) => mean + deviation * (index % 2 === 0 ? 1 : -1)));
    const { difference, interval } = measuredEffect(spread(12, 2), spread(10, 3));
    // Standard error 0.5774; 67.9 degrees of freedom, so 1.9955 of them to each side.
    expect(difference).toBe(2);
    expect(interval!.low).toBeCloseTo(2 - 1.1521, 3);
    expect(interval!.high).toBeCloseTo(2 + 1.1521, 3);
  });
});
