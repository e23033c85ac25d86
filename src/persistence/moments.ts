import { CLOCK_TOLERANCE_MS } from '../kernel/time/due.ts';

/**
 * Moments in statements that change rows. A distributed database takes neither `clock_timestamp()` there nor
 * `timestamptz + interval` of a column: what it cannot work out before it sends the statement to a node it refuses
 * (docs/decisions/0083). test/plans refuses both.
 */

/**
 * SQL for the moment at which the statement arrived, by PostgreSQL's clock. `now()` would be the start of the
 * transaction.
 */
export const ARRIVED = 'statement_timestamp()';

/**
 * SQL of a condition: the moment is null, is past, or is further ahead than `longestMs`, because the clock was set back since it
 * was written. The same in code is `isDue` of `kernel/time/due.ts`. It is a filter: a search along an index needs
 * {@link isPast} and {@link isTooFarAhead} as two conditions.
 * @param moment SQL of a `timestamptz`
 * @param longestMs milliseconds from when it was written to the moment, at most
 * @param at SQL of the present
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
 * SQL for a moment and a while, also of a column and where a column says how long; null where either is.
 * @param moment SQL of a `timestamptz`
 * @param interval SQL of an `interval` of hours or less: a day is one of UTC
 */
export function after(moment: string, interval: string): string {
  return `(${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC'`;
}
