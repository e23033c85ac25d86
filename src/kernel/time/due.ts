/**
 * Milliseconds by which clocks may differ, be set, or drift without a consequence: NTP keeps them closer, and what waits a minute
 * longer does no harm.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether what waits for `moment` waits no more: it is past, or it lies further ahead than it can have been put. Then a clock has gone
 * back since, and waiting would last for as long as that was wrong. In SQL: `isDue` of `persistence/moments.ts`.
 * @param longestMs milliseconds from when it was written to the moment, at most
 */
export function isDue(moment: Date | null | undefined, now: Date, longestMs: number): boolean {
  return moment == null || moment <= now || moment.getTime() > now.getTime() + longestMs + CLOCK_TOLERANCE_MS;
}
