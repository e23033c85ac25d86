/** The deadlines of a close, in milliseconds from its begin. */
export type ClosePlan = {
  /** Work that waits for the database is cancelled. */
  readonly abortMs: number;
  /** The connections of callers are cut. Cancelled work takes up to a second, and its answers must still be written. */
  readonly cutMs: number;
  /** The close stops waiting for webhooks. */
  readonly endMs: number;
};

/**
 * The deadlines of a close. Orchestrators often kill after ten seconds, so the process must end before.
 * @param drainDelayMs milliseconds of further serving
 */
export function closePlan(drainDelayMs: number): ClosePlan {
  const abortMs = Math.max(6_500, drainDelayMs + 2_000);
  return { abortMs, cutMs: abortMs + 1_500, endMs: abortMs + 2_000 };
}
