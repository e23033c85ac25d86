/** An instant in milliseconds since 1970-01-01T00:00:00Z, compared with `<`; a number, because a `Date` can be changed. */
export type Timestamp = number;

/** Milliseconds in a minute. */
export const MINUTE = 60_000;

/** Milliseconds in twenty-four hours. A local day may be longer or shorter: see `period.ts`. */
export const DAY = 86_400_000;

/** Tolerance for clocks that differ, for events right after a start. */
export const CLOCKS_APART = MINUTE;
