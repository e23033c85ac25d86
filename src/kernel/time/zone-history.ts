/** A former zone of an account or client, with the milliseconds since 1970 of the change. Undefined: it had no zone. */
export type PastZone<Zone = string | undefined> = { readonly until: number; readonly timeZone: Zone };

/** The present IANA zone, and the former ones, oldest first. */
export type ZoneHistory<Zone = string | undefined> = {
  readonly timeZone: Zone;
  readonly past: readonly PastZone<Zone>[];
};

/** The maximum number of stored former zones of one account or client; older ones are dropped. */
export const PAST_ZONES_MAX = 32;

/** The history after setting a zone; unchanged for the same zone. */
export function withZone<Zone>({ timeZone, past }: ZoneHistory<Zone>, to: Zone, now: Date): ZoneHistory<Zone> {
  if (timeZone === to) return { timeZone, past };
  return { timeZone: to, past: [...past, { until: now.getTime(), timeZone }].slice(-PAST_ZONES_MAX) };
}

/** The zone at an instant in milliseconds since 1970. */
export function zoneOf<Zone>({ timeZone, past }: ZoneHistory<Zone>, instant: number): Zone {
  for (const stretch of past) if (instant < stretch.until) return stretch.timeZone;
  return timeZone;
}
