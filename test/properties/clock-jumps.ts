import fc from 'fast-check';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** Somebody sets clocks. */
export type Jump = {
  /** PostgreSQL's, that of the machines which serve, or both. */
  readonly of: 'database' | 'machine' | 'both';
  /** Milliseconds by which it is ahead from then on. */
  readonly to: number;
  /** Whether the service has measured since what PostgreSQL's clock is; it does every ten seconds. Else that comes with the next step. */
  readonly isFollowed: boolean;
  /** Whether the service has looked since if it may trust the clock; it does every minute. */
  readonly isSeen: boolean;
};

/** By what moments the service answers. */
export type Moments = {
  /** What it takes for the present. */
  readonly now: number;
  /** Up to when points may expire. */
  readonly trusted: number;
};

/** As far as these a clock may be off without a consequence, however they follow each other. */
export const LITTLE = 20 * SECOND;

/** A little, by what nobody trusts, by hours, days, and by more than anything is kept for; ahead or behind. */
const AWAY = [LITTLE, 150 * SECOND, 5 * HOUR, 3 * DAY, 400 * DAY];

export const jump: fc.Arbitrary<Jump> = fc.record({
  of: fc.constantFrom('database', 'database', 'machine', 'both', 'both'),
  to: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    {
      weight: 3,
      arbitrary: fc
        .record({ far: fc.constantFrom(...AWAY), isAhead: fc.boolean() })
        .map(({ far, isAhead }) => (isAhead ? far : -far)),
    },
  ),
  isFollowed: fc.boolean(),
  isSeen: fc.boolean(),
});
