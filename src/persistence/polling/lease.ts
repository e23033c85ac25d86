import { ARRIVED, isDue } from '../moments.ts';

/**
 * A lease reserves a row for one process, until that process is done or counts as dead. Its end is in the column `lease_until`, by the
 * database's clock; null without a lease.
 */

/**
 * SQL that is true without a valid lease.
 * @param longestMs the maximum of milliseconds of a lease; a longer one comes from a clock that was ahead
 * @param row the table or its alias, if the statement has several
 */
export function isFree(longestMs: number, row?: string): string {
  return isDue(row === undefined ? 'lease_until' : `${row}.lease_until`, longestMs);
}

/**
 * SQL for the end of a lease that begins now.
 * @param ms SQL for its milliseconds; null for a lease without an end
 */
export function leaseEnd(ms: string): string {
  return `${ARRIVED} + ${ms} * interval '1 ms'`;
}
