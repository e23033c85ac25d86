import { LRUCache } from 'lru-cache';

/** The values of a list's order columns in one row: the rows after them are found without counting those before. */
export type OrderValues = readonly unknown[];

/** The cache of one paginated list of this process. Only long lists have entries. */
export type ListMemory = {
  /** Counts of matching rows. */
  readonly counts: Kept<number>;
  /** The last position before a page, and in which part of the list it is. */
  readonly positions: Kept<{ readonly part: number; readonly after: OrderValues }>;
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

/** The lifetime of a position in milliseconds. An expired position is found again by a count of rows. */
const POSITIONS_KEPT_FOR = 60_000;

/** The maximum of entries of some 300 bytes: enough for a thousand concurrent walks. */
const CAPACITY = 1_000;

/** An empty memory. */
export function listMemory(): ListMemory {
  return {
    counts: new LRUCache({ max: CAPACITY, ttl: COUNTS_KEPT_FOR }),
    positions: new LRUCache({ max: CAPACITY, ttl: POSITIONS_KEPT_FOR }),
  };
}
