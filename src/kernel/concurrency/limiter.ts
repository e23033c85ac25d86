import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** The options of a limiter. */
export type LimiterOptions = {
  /** The name of the limiter; limiters with this name may share their counts. */
  readonly name: string;
  /** The most points of a key within `duration`. */
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
};

/** Creates a limiter that counts in this process alone or shares its counts. */
export type NewLimiter = (options: LimiterOptions) => RateLimiterAbstract;

/**
 * The milliseconds until a key of a limiter has room again. It is at most the limiter's duration, even if the machine's clock was set back.
 */
export function waitOf(
  { msBeforeNext }: { readonly msBeforeNext: number },
  { duration }: Pick<LimiterOptions, 'duration'>,
) {
  return Math.min(msBeforeNext, duration * 1_000);
}

/** A limiter that counts in this process alone. */
export const ownLimiter: NewLimiter = ({ name, points, duration }) =>
  new RateLimiterMemory({ points, duration, keyPrefix: name });
