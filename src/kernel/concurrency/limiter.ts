import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** The options of a limiter. */
export type LimiterOptions = {
  /** Tells it from other limiters; its counts are those of all limiters of this name that share them. */
  readonly name: string;
  /** How much of a key fits into `duration`. */
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
};

/** Makes a limiter: one that counts in this process alone, or one that shares its counts with others. */
export type NewLimiter = (options: LimiterOptions) => RateLimiterAbstract;

/**
 * Milliseconds until a key of a limiter has room again: never longer than it counts over, whatever became of the machine's clock, by
 * which limiters tell it.
 */
export function waitOf(
  { msBeforeNext }: { readonly msBeforeNext: number },
  { duration }: Pick<LimiterOptions, 'duration'>,
) {
  return Math.min(msBeforeNext, duration * 1_000);
}

/** Counts in this process alone. */
export const ownLimiter: NewLimiter = ({ name, points, duration }) =>
  new RateLimiterMemory({ points, duration, keyPrefix: name });
