import { LRUCache } from 'lru-cache';

/** The values of a list's order columns in one row: the rows after that place are found without counting those before. */
export type Place = readonly unknown[];

/** The cache of one paginated list of this process. Only long lists have entries. */
export type ListMemory = {
  /** Numbers of matching rows. */
  readonly counts: Kept<number>;
  /** The last place before a page, and in which part of the list it is. */
  readonly places: Kept<{ readonly part: number; readonly after: Place }>;
};

/** Values that are forgotten after some time. */
export type Kept<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
};

/** Milliseconds: counting a million rows takes PostgreSQL 150, so that a walk through them counts once in a hundred pages. */
const COUNTS_KEPT_FOR = 2_000;

/** Milliseconds between two pages of one walk. A forgotten place is found again, by counting rows. */
const PLACES_KEPT_FOR = 60_000;

/** Entries; at some 300 bytes each this is little, and enough for a thousand walks at once. */
const CAPACITY = 1_000;

/** An empty memory. */
export function listMemory(): ListMemory {
  return {
    counts: new LRUCache({ max: CAPACITY, ttl: COUNTS_KEPT_FOR }),
    places: new LRUCache({ max: CAPACITY, ttl: PLACES_KEPT_FOR }),
  };
}
