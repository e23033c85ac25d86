import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** A time range: `from` is included, `until` is not; `Infinity` means without an end. */
export type Interval = { readonly from: Timestamp; readonly until: Timestamp };

/** Whether an instant is in any of the intervals. */
export function isWithin(intervals: readonly Interval[], instant: Timestamp): boolean {
  return intervals.some(({ from, until }) => from <= instant && instant < until);
}

/**
 * The instant at which `duration` milliseconds have passed since `start`, without the time in `stops`.
 * @param stops oldest first, without overlaps
 */
export function instantAfter(start: Timestamp, duration: number, stops: readonly Interval[]): Timestamp {
  let end = start + duration;
  for (const { from, until } of stops) if (until > start && from < end) end += until - Math.max(from, start);
  return end;
}
