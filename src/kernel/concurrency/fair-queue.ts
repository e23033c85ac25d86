/**
 * A round-robin queue of items by client, so that a client with many items does not delay the others. It also counts
 * each client's usage; the caller applies the limits.
 */
export type FairQueue<Item> = {
  /** Clients with items that wait. */
  readonly size: number;
  /** The usage of all clients. */
  readonly used: number;
  /** All items that wait. Costs as much as there are. */
  waiting(): readonly Item[];
  /** The usage of the client; 0 or more. */
  usedBy(clientId: string): number;
  /** Counts that the client uses so much more, or less where `amount` is negative. */
  use(clientId: string, amount: number): void;
  /** An item waits behind the client's others, or behind all other clients where it has none. */
  add(clientId: string, item: Item): void;
  /** Items that were taken wait again, in their order: before the client's others, or behind all other clients where it has none. */
  putBack(clientId: string, items: readonly Item[]): void;
  /** The item waits no longer. Nothing happens if it does not wait. */
  remove(clientId: string, item: Item): void;
  /** The client whose turn it is: the first that may be served. It stays where it is until something is taken. */
  next(mayBeServed: (clientId: string) => boolean): string | undefined;
  /** The client's waiting items, oldest first. Valid until the queue changes. */
  waitingOf(clientId: string): readonly Item[];
  /** Takes the client's oldest items, at most `count`. The rest waits behind all other clients. */
  take(clientId: string, count: number): Item[];
};

/**
 * An empty queue. To add costs the same however much waits. To find the next client steps over those before it that may not be
 * served. To take or remove moves the client's other items by one place each, as arrays do.
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
      const place = items.indexOf(item);
      if (place === -1) return;
      items.splice(place, 1);
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
