import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChestOdds, rollChest } from '../../src/engine/chest-roll.ts';

const SEED = '00112233445566778899aabbccddeeff';
const seeds = fc.stringMatching(/^[0-9a-f]{32}$/);
const odds: fc.Arbitrary<ChestOdds> = fc
  .record({
    weights: fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 }),
    nothing: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ weights, nothing }) => ({
    entries: weights.map((weight, index) => ({ rewardId: `reward-${index}`, weight, guaranteed: weight === 0 })),
    totalWeight: Math.max(1, weights.reduce((sum, weight) => sum + weight, 0) + nothing),
  }));

describe('a chest', () => {
  test('can be drawn again by anybody from the published rule', () => {
    const totalWeight = 1_000_003;
    const bytes = Uint8Array.from({ length: 16 }, (_, index) => index * 0x11);
    const digest = createHash('sha256').update(bytes).digest();
    // Long division of the digest, byte by byte: a second method for the same remainder.
    const remainder = digest.reduce((rest, byte) => (rest * 256 + byte) % totalWeight, 0);
    expect(rollChest({ entries: [], totalWeight }, SEED).draw).toBe(remainder);
  });

  test('always holds what is guaranteed and at most one of the rest', () => {
    fc.assert(
      fc.property(odds, seeds, (chest, seed) => {
        const roll = rollChest(chest, seed);
        expect(roll.entries.filter((entry) => entry.guaranteed).every((entry) => entry.drawn)).toBe(true);
        expect(roll.entries.filter((entry) => entry.drawn && !entry.guaranteed).length).toBeLessThanOrEqual(1);
        expect(roll.draw).toBeGreaterThanOrEqual(0);
        expect(roll.draw).toBeLessThan(roll.totalWeight);
      }),
    );
  });

  test('drawn again from its stored roll holds the same', () => {
    fc.assert(
      fc.property(odds, seeds, (chest, seed) => {
        const roll = rollChest(chest, seed);
        expect(rollChest({ entries: roll.entries, totalWeight: roll.totalWeight }, roll.seed)).toEqual(roll);
      }),
    );
  });

  test('gives each entry its share, and nothing the rest', () => {
    const chest: ChestOdds = {
      entries: [
        { rewardId: 'always', weight: 0, guaranteed: true },
        { rewardId: 'common', weight: 60, guaranteed: false },
        { rewardId: 'rare', weight: 30, guaranteed: false },
      ],
      totalWeight: 100,
    };
    const rolls = 20_000;
    const counts: Record<string, number> = { common: 0, rare: 0, nothing: 0 };
    for (let index = 0; index < rolls; index += 1) {
      // Consecutive seeds, so that each run has the same result.
      const roll = rollChest(chest, index.toString(16).padStart(32, '0'));
      const drawn = roll.entries.find((entry) => entry.drawn && !entry.guaranteed)?.rewardId ?? 'nothing';
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    const expected: Record<string, number> = { common: 0.6, rare: 0.3, nothing: 0.1 };
    const chiSquare = Object.entries(expected).reduce((sum, [name, share]) => {
      const difference = (counts[name] ?? 0) - share * rolls;
      return sum + (difference * difference) / (share * rolls);
    }, 0);
    // Two degrees of freedom: a fair draw stays below 9.21 in 99 of 100 cases.
    expect(chiSquare).toBeLessThan(9.21);
  });
});
