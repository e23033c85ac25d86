/**
 * A round-robin queue of items by client, so that a client with many items does not delay the others. It also counts
 * each client's usage; the caller applies the limits.
 */
export type FairQueue<Item> = {
  /** The number of clients with waiting items. */
  readonly size: number;
  /** The total usage of all clients. */
  readonly used: number;
  /** All waiting items. The cost grows with their number. */
  waiting(): readonly Item[];
  /** The usage of the client; 0 or more. */
  usedBy(clientId: string): number;
  /** Adds `amount` to the client's usage; a negative amount reduces it. */
  use(clientId: string, amount: number): void;
  /** Adds an item after the client's others; a client without items joins behind all other clients. */
  add(clientId: string, item: Item): void;
  /**
   * Returns taken items to the queue, in their order: before the client's others; a client without items joins behind all other clients.
   */
  putBack(clientId: string, items: readonly Item[]): void;
  /** Removes an item. Has no effect on an item that does not wait. */
  remove(clientId: string, item: Item): void;
  /** The first client that may be served. It keeps its turn until an item is taken. */
  next(mayBeServed: (clientId: string) => boolean): string | undefined;
  /** The client's waiting items, oldest first. Valid until the queue changes. */
  waitingOf(clientId: string): readonly Item[];
  /** Takes the client's oldest items, at most `count`. The rest waits behind all other clients. */
  take(clientId: string, count: number): Item[];
};

/**
 * An empty queue. Adding has a constant cost. Finding the next client skips the earlier ones that may not be served. Taking and removing
 * shift the client's other items, as in an array.
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  // A Map keeps the order of insertion, so its first key is the client whose turn it is.
  const waiting = new Map<string, Item[]>();
  const usage = new Map<string, number>();
  let used = 0;

  return {
    get size() {
      return waiting.size;
    },
    get used() {
      return used;
    },
    waiting: () => [...waiting.values()].flat(),
    usedBy: (clientId) => usage.get(clientId) ?? 0,

    use(clientId, amount) {
      used += amount;
      const own = (usage.get(clientId) ?? 0) + amount;
      if (own === 0) usage.delete(clientId);
      else usage.set(clientId, own);
    },

    add(clientId, item) {
      const items = waiting.get(clientId);
      if (items) items.push(item);
      else waiting.set(clientId, [item]);
    },

    putBack(clientId, items) {
      if (items.length > 0) waiting.set(clientId, [...items, ...(waiting.get(clientId) ?? [])]);
    },

    remove(clientId, item) {
      const items = waiting.get(clientId) ?? [];
      const index = items.indexOf(item);
      if (index === -1) return;
      items.splice(index, 1);
      if (items.length === 0) waiting.delete(clientId);
    },

    next(mayBeServed) {
      for (const clientId of waiting.keys()) if (mayBeServed(clientId)) return clientId;
      return undefined;
    },

    waitingOf: (clientId) => waiting.get(clientId) ?? [],

    take(clientId, count) {
      const items = waiting.get(clientId);
      if (items === undefined || count === 0) return [];
      waiting.delete(clientId);
      if (items.length <= count) return items;
      waiting.set(clientId, items);
      return items.splice(0, count);
    },
  };
}
