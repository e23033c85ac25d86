import { LRUCache } from 'lru-cache';

/** Remembers what a look-up found, for a short while. */
export type TtlCache<Value> = {
  /** The cached value of `key`, otherwise the result of `load`. Callers during a load share it. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
};

/**
 * A bounded memory of look-ups. The lifetime counts from before the look-up began, so that a value is never older than
 * `lifetimeMs` when it is used. Failures are not remembered. When full, what was not used for longest makes room.
 */
export function createTtlCache<Value>(options: { lifetimeMs: number; capacity: number }): TtlCache<Value> {
  const entries = new LRUCache<string, Promise<Value>>({
    max: options.capacity,
    ttl: options.lifetimeMs,
    // The clock of `start` below, read for each look; it is monotonic, so that setting the machine's back prolongs no trust.
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
