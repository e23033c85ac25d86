import fc from 'fast-check';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** A change of clocks. */
export type Jump = {
  /** The changed clock: PostgreSQL's, that of the machines of the service, or both. */
  readonly of: 'database' | 'machine' | 'both';
  /** The milliseconds by which the clock is ahead afterwards. */
  readonly to: number;
  /**
   * Whether the service has measured PostgreSQL's clock since the jump, as it does every ten seconds; otherwise it measures in the next
   * step.
   */
  readonly isFollowed: boolean;
  /** Whether the service has checked since the jump if the clock can be trusted, as it does every minute. */
  readonly isSeen: boolean;
};

/** The times by which the service answers. */
export type Moments = {
  /** The time that the service takes for the present. */
  readonly now: number;
  /** The time up to which points may expire. */
  readonly trusted: number;
};

/** Jumps up to this size, in any sequence, have no effect. */
export const LITTLE = 20 * SECOND;

/** A small jump, one that is not trusted, hours, days, and longer than any retention time; ahead or behind. */
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
