const HOUR_MS = 3_600_000;

/** The kind of a counted call. */
export type CallKind = {
  readonly clientId: string;
  readonly credentialId: string;
  readonly operation: string;
  /** Empty for a call that was not refused. */
  readonly code: string;
};

/** The calls of one kind in an hour of UTC. */
export type HourOfCalls = CallKind & { readonly hour: Date; readonly calls: number };

/** Counts of calls in memory. */
export type CallCounts = {
  /** @param at a moment of the hour */
  add(kind: CallKind, at: Date, calls: number): void;
  /** Removes and returns all counts. */
  take(): HourOfCalls[];
};

/** Counts calls in memory. Its size depends on the numbers of credentials, operations and codes, not on that of calls. */
export function createCallCounts(): CallCounts {
  let counted = new Map<string, HourOfCalls & { calls: number }>();
  return {
    add(kind, at, calls) {
      const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
      const key = `${hour} ${kind.clientId} ${kind.credentialId} ${kind.operation} ${kind.code}`;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { ...kind, hour: new Date(hour), calls });
      else known.calls += calls;
    },
    take() {
      const taken = [...counted.values()];
      counted = new Map();
      return taken;
    },
  };
}
