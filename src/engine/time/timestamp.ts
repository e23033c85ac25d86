/** An instant in milliseconds since 1970-01-01T00:00:00Z: compared with `<`, stored as it is, never changed behind one's back. */
export type Timestamp = number;

/** Milliseconds in a minute. */
export const MINUTE = 60_000;

/** Milliseconds in twenty-four hours. A local day may be longer or shorter: see `period.ts`. */
export const DAY = 86_400_000;

/** Tolerance for differing clocks, between the start of something and the events right after it. */
export const CLOCKS_APART = MINUTE;
