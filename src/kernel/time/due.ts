/**
 * Milliseconds by which clocks may differ, be set or drift without consequences: NTP keeps them closer, and a delay of a minute is
 * harmless.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether `moment` has come: it is past, or further in the future than possible. In the second case a clock was set back since, and waiting
 * would last as long as that clock was ahead. In SQL: `isDue` of `persistence/moments.ts`.
 * @param longestMs the most milliseconds between the writing of the moment and the moment itself
 */
export function isDue(moment: Date | null | undefined, now: Date, longestMs: number): boolean {
  return moment == null || moment <= now || moment > furthest(now, longestMs);
}

/** The furthest moment that can have been written until `now` for at most `longestMs` later, by clocks within the tolerance. */
export function furthest(now: Date, longestMs: number): Date {
  return new Date(now.getTime() + longestMs + CLOCK_TOLERANCE_MS);
}
