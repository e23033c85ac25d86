/**
 * Moments in statements that change rows. A distributed database takes neither `clock_timestamp()` there nor
 * `timestamptz + interval` of a column: what it cannot work out before it sends the statement to a node it refuses
 * (docs/decisions/0083). test/plans refuses both.
 */

/** SQL for the moment at which the statement arrived, by PostgreSQL's clock. Not `now()`, which is that of the transaction. */
export const ARRIVED = 'statement_timestamp()';

/**
 * SQL for a moment and a while, also of a column and where a column says how long; null where either is.
 * @param moment SQL of a `timestamptz`
 * @param interval SQL of an `interval` of hours or less: a day is one of UTC
 */
export function after(moment: string, interval: string): string {
  return `(${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC'`;
}
