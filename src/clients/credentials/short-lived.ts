/** Remembers what a look-up found, for a short while. */
export type ShortLived<Value> = {
  /** What is remembered for `key`, else what `load` finds. Callers that ask while a load runs share it. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
};

type Entry<Value> = { readonly value: Promise<Value>; readonly until: number };

/**
 * A bounded memory of look-ups. The lifetime counts from before the look-up began, so that a value is never older than
 * `lifetimeMs` when it is used. Failures are not remembered. When full, the oldest entry makes room.
 */
export function shortLived<Value>(options: { lifetimeMs: number; capacity: number }): ShortLived<Value> {
  const entries = new Map<string, Entry<Value>>();

  function remember(key: string, entry: Entry<Value>): void {
    // A Map keeps the order of insertion: deleting first moves a renewed entry to the young end.
    entries.delete(key);
    if (entries.size >= options.capacity) entries.delete(entries.keys().next().value ?? key);
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
  }

  return {
    get(key, load) {
      // A monotonic clock: setting the machine's clock back must not prolong a trust.
      const now = performance.now();
      const known = entries.get(key);
      if (known !== undefined && now < known.until) return known.value;
      const entry = { value: load(), until: now + options.lifetimeMs };
      remember(key, entry);
      return entry.value;
    },
  };
}
