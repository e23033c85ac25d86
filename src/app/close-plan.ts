/** When what of a close is over, in milliseconds from its begin. */
export type ClosePlan = {
  /** Work that waits for the database is cancelled. */
  readonly abortMs: number;
  /** Connections of callers are cut. Breaking off takes a second at most, and the answers have to be written. */
  readonly cutMs: number;
  /** Webhooks are not waited for any more. */
  readonly endMs: number;
};

/**
 * Orchestrators often kill after ten seconds, and the process has to end after this. @param drainDelayMs milliseconds that it goes
 * on serving
 */
export function closePlan(drainDelayMs: number): ClosePlan {
  const abortMs = Math.max(6_500, drainDelayMs + 2_000);
  return { abortMs, cutMs: abortMs + 1_500, endMs: abortMs + 2_000 };
}
