/** The rate of each client, in a bounded number of values. */
export type ClientRates = {
  /** Adds to the count of a client. */
  count(clientId: string, amount?: number): void;
  /** The rates per second in the last whole minute, of the clients with the highest, and of all others as `other`. */
  perSecond(): ReadonlyMap<string, number>;
};

/** The maximum of clients that are shown by id. */
export const SHOWN_MAX = 10;

/** The maximum of clients that are counted separately within a minute; further ones count as `other`. */
const COUNTED_MAX = 10_000;

const WINDOW_MS = 60_000;

const OTHER = 'other';

/**
 * Empty rates. `now` returns milliseconds of a monotonic clock.
 * @param namedMax the maximum of clients that are shown by id; with 0 all clients are `other`
 */
export function createClientRates(now: () => number = () => performance.now(), namedMax = SHOWN_MAX): ClientRates {
  let counts = new Map<string, number>();
  let last: ReadonlyMap<string, number> = new Map();
  let begun = now();

  function turn(): void {
    const passed = now() - begun;
    if (passed < WINDOW_MS) return;
    last = passed < 2 * WINDOW_MS ? counts : new Map();
    counts = new Map();
    begun += Math.floor(passed / WINDOW_MS) * WINDOW_MS;
  }

  return {
    count(clientId, amount = 1) {
      turn();
      const before = counts.get(clientId);
      const label = before === undefined && counts.size >= COUNTED_MAX ? OTHER : clientId;
      counts.set(label, (counts.get(label) ?? 0) + amount);
    },
    perSecond() {
      turn();
      const ranked = [...last].filter(([id]) => id !== OTHER).toSorted(([, a], [, b]) => b - a);
      const rest = ranked.slice(namedMax).reduce((sum, [, count]) => sum + count, last.get(OTHER) ?? 0);
      const seconds = WINDOW_MS / 1_000;
      const shown = ranked.slice(0, namedMax).map(([id, count]) => [id, count / seconds] as const);
      return new Map([...shown, [OTHER, rest / seconds]]);
    },
  };
}
