import type { Timestamp } from './timestamp.ts';

/** A stretch of time: `from` belongs to it, `until` does not; `Infinity` where it has no end yet. */
export type Interval = { readonly from: Timestamp; readonly until: Timestamp };

/** Whether an instant lies in any of them. */
export function isWithin(intervals: readonly Interval[], instant: Timestamp): boolean {
  return intervals.some(({ from, until }) => from <= instant && instant < until);
}

/**
 * The instant at which so much time has passed since `start`, the stretches between not counted.
 * @param stops oldest first, none over another
 */
export function instantAfter(start: Timestamp, duration: number, stops: readonly Interval[]): Timestamp {
  let end = start + duration;
  for (const { from, until } of stops) if (until > start && from < end) end += until - Math.max(from, start);
  return end;
}
