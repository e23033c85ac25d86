import { CsvFault } from './csv/csv-fault.ts';

/**
 * Finds keys that occur in several rows of a file, in two readings and with little memory. The first reading stores 8
 * bytes per row and finds keys that may be repeated; the second compares these keys.
 */
export type RepeatedKeys = {
  /** First reading. */
  note(key: string): void;
  /** Between the readings: the number of keys to compare again; 0 means that no second reading is needed. */
  countPossible(): number;
  /** Second reading: rows in their order. */
  compare(key: string, position: number, line: number): void;
  /** After the readings: the line of the earlier row with the same key as the row at `position`; undefined without one. */
  lineBefore(key: string, position: number): number | undefined;
};

/** The most repeated keys to distinguish; a file with more is the wrong file or was assembled wrongly. */
export const REPEATED_MAX = 100_000;

/** The number of parts, so that the growth of one part is small compared with all. */
const PARTS = 64;

/** The state of the search in one file. */
export function repeatedKeys(): RepeatedKeys {
  const parts = Array.from({ length: PARTS }, () => ({ hashes: new Float64Array(64), length: 0 }));
  let possible = new Set<number>();
  const first = new Map<string, { readonly position: number; readonly line: number }>();

  return {
    note(key) {
      const hash = hashOf(key);
      const part = parts[hash % PARTS]!;
      if (part.length === part.hashes.length) part.hashes = grown(part.hashes);
      part.hashes[part.length] = hash;
      part.length += 1;
    },
    countPossible() {
      possible = new Set();
      for (const part of parts) {
        addRepeated(part.hashes.subarray(0, part.length).sort(), possible);
        part.hashes = new Float64Array(0);
        part.length = 0;
      }
      return possible.size;
    },
    compare(key, position, line) {
      if (possible.has(hashOf(key)) && !first.has(key)) first.set(key, { position, line });
    },
    lineBefore(key, position) {
      // Most files have no repeated keys, and this test saves the hash of a look-up.
      if (first.size === 0) return undefined;
      const earlier = first.get(key);
      return earlier !== undefined && earlier.position < position ? earlier.line : undefined;
    },
  };
}

function grown(hashes: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.ceil(hashes.length * 1.5));
  larger.set(hashes);
  return larger;
}

function addRepeated(sorted: Float64Array, repeated: Set<number>): void {
  for (let index = 1; index < sorted.length; index += 1) {
    if (sorted[index] === sorted[index - 1]) repeated.add(sorted[index]!);
  }
  if (repeated.size <= REPEATED_MAX) return;
  throw new CsvFault(
    `More than ${REPEATED_MAX} values of the required column stand in several rows. Is this the right file? Nothing was loaded.`,
  );
}

/** A hash of 53 bits, which a number holds exactly. Two keys with the same hash only cost another comparison. */
function hashOf(key: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high >>> 11) * 4_294_967_296 + (low >>> 0);
}
