import { createHash } from 'node:crypto';

/** One possible content of a chest. */
export type ChestEntry = {
  readonly rewardId: string;
  /** Share of the chest's total weight, a whole number from 1; 0 for a guaranteed entry. */
  readonly weight: number;
  /** Whether the entry is part of every content. */
  readonly guaranteed: boolean;
};

/** The possible contents of a chest. */
export type ChestOdds = {
  readonly entries: readonly ChestEntry[];
  /** At least the sum of all weights; the difference is the chance of an empty draw. From 1 to 2^31 - 1. */
  readonly totalWeight: number;
};

/** The draw of a chest, with all data needed to repeat it. */
export type ChestRoll = {
  readonly seed: string;
  /** 0 to `totalWeight` - 1. */
  readonly draw: number;
  readonly totalWeight: number;
  /** The entries at the time of the draw, in their order, each with whether it is part of the content. */
  readonly entries: readonly (ChestEntry & { readonly drawn: boolean })[];
};

/**
 * Draws the content of a chest: every guaranteed entry, and at most one of the others. The weighted entries divide the numbers from 0
 * upwards in their order, each as wide as its weight. The draw falls into one of them or above all.
 * @param seed 32 hexadecimal characters, random; the same seed and odds always draw the same content
 */
export function rollChest(odds: ChestOdds, seed: string): ChestRoll {
  const draw = drawOf(seed, odds.totalWeight);
  let above = 0;
  const entries = odds.entries.map((entry) => {
    if (entry.guaranteed) return { ...entry, drawn: true };
    const from = above;
    above += entry.weight;
    return { ...entry, drawn: draw >= from && draw < above };
  });
  return { seed, draw, totalWeight: odds.totalWeight, entries };
}

/**
 * The SHA-256 of the seed's bytes, read as one big-endian number, modulo the total weight: any language repeats it in a line. A remainder
 * of 2^256 values favours no outcome by more than 2^-225.
 */
function drawOf(seed: string, totalWeight: number): number {
  const digest = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
  return Number(BigInt(`0x${digest}`) % BigInt(totalWeight));
}
