/** The current time. Functions take it as an argument, so that a test can choose any time. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

let followed: Clock = systemClock;

/**
 * The clock of ids and timestamps of rows in this thread: the machine's clock until {@link setTimestampClock} sets another. Decisions do
 * not read it; they take the time as an argument.
 */
export const timestampClock: Clock = () => followed();

/** Sets the clock of ids and timestamps, so that they have one order across hosts with differing clocks. */
export function setTimestampClock(clock: Clock): void {
  followed = clock;
}

/** The state of the clock watch in this thread. */
export type Trust = {
  /** The latest time up to which data may expire for good. */
  readonly upTo: (now: Date) => Date;
  /** The time from which the retention of new data counts. */
  readonly from: (now: Date) => Date;
};

const ANY: Trust = { upTo: (now) => now, from: (now) => now };

let trust = ANY;

/**
 * The latest time that irreversible expiry in calls may use: `now`, or an earlier time if the clock is not trusted or
 * has jumped since its last check. Scheduled jobs wait instead.
 */
export function latestTrustedTime(now: Date): Date {
  return trust.upTo(now);
}

/**
 * The time from which the retention of data recorded at `now` counts: `now`, or the last trusted time if the clock was set back before it.
 * Otherwise the data would seem old after a correction of the clock, and be deleted at once.
 */
export function retentionStartOf(now: Date): Date {
  return trust.from(now);
}

/** Sets the clock watch of this thread; without it every time is trusted. */
export function setClockTrust(watched: Trust = ANY): void {
  trust = watched;
}
