import { LRUCache } from 'lru-cache';

/** The values of a list's order columns in one row: the rows after that place are found without counting those before. */
export type Place = readonly unknown[];

/** The cache of one paginated list of this process. Only long lists have entries. */
export type ListMemory = {
  /** Counts of matching rows. */
  readonly counts: Kept<number>;
  /** The last place before a page, and in which part of the list it is. */
  readonly places: Kept<{ readonly part: number; readonly after: Place }>;
};

/** Values that expire after some time. */
export type Kept<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
};

/**
 * The lifetime of a count in milliseconds. A count of a million rows takes 150 ms, so a walk through them counts once in a hundred pages.
 */
const COUNTS_KEPT_FOR = 2_000;

/** The lifetime of a place in milliseconds. An expired place is found again by a count of rows. */
const PLACES_KEPT_FOR = 60_000;

/** The maximum of entries of some 300 bytes: enough for a thousand concurrent walks. */
const CAPACITY = 1_000;

/** An empty memory. */
export function listMemory(): ListMemory {
  return {
    counts: new LRUCache({ max: CAPACITY, ttl: COUNTS_KEPT_FOR }),
    places: new LRUCache({ max: CAPACITY, ttl: PLACES_KEPT_FOR }),
  };
}
