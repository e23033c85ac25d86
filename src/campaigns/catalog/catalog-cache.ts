/** The cached value of one client. */
export type Kept<Value> = { readonly version: bigint; readonly value: Value };

/** Cached values by client, up to a total weight. */
export type CatalogCache<Value> = {
  /** The value of a client; counts as a use. */
  get(clientId: string): Kept<Value> | undefined;
  /** The value of a client; does not count as a use. */
  peek(clientId: string): Value | undefined;
  set(clientId: string, kept: Kept<Value>): void;
  /** The total weight of the values. */
  readonly weight: number;
  /** The number of values. */
  readonly size: number;
};

export type CatalogCacheOptions<Value> = {
  /** The maximum total weight. A single heavier value is kept until the next is set. */
  readonly weightMax: number;
  readonly weigh: (value: Value) => number;
  /** Random numbers from 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
};

/** Entries among which the least used one is evicted: enough to be one of the least used of all. */
const SAMPLE = 8;

/** Uses per entry after which all counts are halved, so that values of the past give way to current ones. */
const MEMORY = 2;

type Entry<Value> = Kept<Value> & { readonly clientId: string; readonly weight: number; index: number; uses: number };

/**
 * A cache that evicts the least frequently used value (LFU). With more clients in turn than fit, an LRU cache evicts
 * each value shortly before it is needed: docs/decisions/0018.
 */
export function createCatalogCache<Value>(options: CatalogCacheOptions<Value>): CatalogCache<Value> {
  const { weightMax, weigh, random = Math.random } = options;
  const byClient = new Map<string, Entry<Value>>();
  // An array, for a random choice.
  const entries: Entry<Value>[] = [];
  let weight = 0;
  let usesLeft = MEMORY;

  function remove(entry: Entry<Value>): void {
    byClient.delete(entry.clientId);
    weight -= entry.weight;
    const last = entries.pop()!;
    if (last === entry) return;
    last.index = entry.index;
    entries[entry.index] = last;
  }

  function leastUsed(except: Entry<Value>): Entry<Value> {
    let found: Entry<Value> | undefined;
    for (let tries = 0; tries < SAMPLE || found === undefined; tries += 1) {
      const entry = entries[Math.floor(random() * entries.length)]!;
      if (entry !== except && (found === undefined || entry.uses < found.uses)) found = entry;
    }
    return found;
  }

  function used(entry: Entry<Value>): void {
    entry.uses += 1;
    usesLeft -= 1;
    if (usesLeft > 0) return;
    usesLeft = MEMORY * entries.length;
    for (const each of entries) each.uses /= 2;
  }

  return {
    get weight() {
      return weight;
    },
    get size() {
      return entries.length;
    },
    get(clientId) {
      const entry = byClient.get(clientId);
      if (entry) used(entry);
      return entry;
    },
    peek: (clientId) => byClient.get(clientId)?.value,
    set(clientId, kept) {
      const before = byClient.get(clientId);
      if (before) remove(before);
      const entry = {
        ...kept,
        clientId,
        weight: weigh(kept.value),
        index: entries.length,
        uses: before?.uses ?? 1,
      };
      byClient.set(clientId, entry);
      entries.push(entry);
      weight += entry.weight;
      while (weight > weightMax && entries.length > 1) remove(leastUsed(entry));
    },
  };
}
