import { LRUCache } from 'lru-cache';

/** Caches look-ups for a short time. */
export type TtlCache<Value> = {
  /** The cached value of `key`, otherwise the result of `load`. Callers during a load share it. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
};

/**
 * A bounded cache of look-ups. The lifetime begins before the look-up, so that a used value is never older than `lifetimeMs`. Failures are
 * not cached. A full cache evicts the least recently used value.
 */
export function createTtlCache<Value>(options: { lifetimeMs: number; capacity: number }): TtlCache<Value> {
  const entries = new LRUCache<string, Promise<Value>>({
    max: options.capacity,
    ttl: options.lifetimeMs,
    // The clock of `start` below, read at each access. It is monotonic, so that setting the machine's clock back extends no lifetime.
    perf: performance,
    ttlResolution: 0,
  });
  return {
    get(key, load) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const start = performance.now();
      const value = load();
      entries.set(key, value, { start });
      value.catch(() => {
        if (entries.peek(key) === value) entries.delete(key);
      });
      return value;
    },
  };
}
