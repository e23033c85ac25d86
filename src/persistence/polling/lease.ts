import { ARRIVED, isDue } from '../moments.ts';

/**
 * A lease keeps other processes from a row while one works on it, and lets them have it when that one shows no sign of life. Its
 * end is in the column `lease_until`, by the database's clock; null where nobody works on it.
 */

/**
 * SQL that is true where no lease keeps others from the row.
 * @param longestMs milliseconds for which the longest lease is taken; one that lasts longer is of a clock that was ahead
 * @param row the table or its alias, where the statement has several
 */
export function isFree(longestMs: number, row?: string): string {
  return isDue(row === undefined ? 'lease_until' : `${row}.lease_until`, longestMs);
}

/** SQL for the end of a lease that begins now. @param ms SQL for its milliseconds; no end where that is null */
export function leaseEnd(ms: string): string {
  return `${ARRIVED} + ${ms} * interval '1 ms'`;
}
