import { DAY } from '../../../kernel/time/timestamp.ts';

/** A date beyond a century has no meaning. */
const CENTURY = 36_525 * DAY;

/** Free units of a product, and the units that were taken in some milliseconds. */
export type Rate = { readonly free: number; readonly unitsTaken: number; readonly inMs: number };

/** The time at which no free unit is left at a rate; undefined if none was taken, if none is left, and beyond a century. */
export function soldOutAt({ free, unitsTaken, inMs }: Rate, now: Date): Date | undefined {
  if (free <= 0 || unitsTaken <= 0) return undefined;
  const lastsMs = (free / unitsTaken) * inMs;
  return lastsMs < CENTURY ? new Date(now.getTime() + lastsMs) : undefined;
}
