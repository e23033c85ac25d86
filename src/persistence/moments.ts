import { CLOCK_TOLERANCE_MS } from '../kernel/time/due.ts';

/**
 * Moments in statements that change rows. A distributed database accepts neither `clock_timestamp()` nor `timestamptz + interval` of a
 * column there: it refuses expressions that it cannot compute before it sends the statement to a node (docs/decisions/0083). test/plans
 * refuses both.
 */

/**
 * SQL for the moment at which the statement arrived, by PostgreSQL's clock. `now()` would be the start of the
 * transaction.
 */
export const ARRIVED = 'statement_timestamp()';

/**
 * SQL of a condition: the moment is null, is past, or is further ahead than `longestMs`, because the clock was set back since the write.
 * The same in code is `isDue` of `kernel/time/due.ts`. It is a filter: a search along an index needs {@link isPast} and {@link
 * isTooFarAhead} as two conditions.
 * @param moment SQL of a `timestamptz`
 * @param longestMs the maximum of milliseconds from the write to the moment
 * @param at SQL of the current time
 */
export function isDue(moment: string, longestMs: number, at = ARRIVED): string {
  return `(${moment} is null or ${isPast(moment, at)} or ${isTooFarAhead(moment, longestMs, at)})`;
}

/** The part of {@link isDue} for moments that have come. */
export function isPast(moment: string, at = ARRIVED): string {
  return `${moment} <= ${at}`;
}

/** The part of {@link isDue} for moments of a clock that was ahead. */
export function isTooFarAhead(moment: string, longestMs: number, at = ARRIVED): string {
  return `${moment} > ${at} + interval '${longestMs + CLOCK_TOLERANCE_MS} ms'`;
}

/**
 * SQL for a moment plus an interval, also with columns; null if either is null.
 * @param moment SQL of a `timestamptz`
 * @param interval SQL of an `interval` of hours or less, because a day is calculated in UTC
 */
export function after(moment: string, interval: string): string {
  return `(${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC'`;
}
