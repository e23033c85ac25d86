/** Tells the present. An argument wherever time matters, so that a test can stand on any day it likes. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

let followed: Clock = systemClock;

/**
 * What ids and the stamps of rows are told by, in this thread: the machine's clock until {@link setTimestampClock} names a better
 * one. Nothing else reads it; what decides takes its moment as an argument.
 */
export const timestampClock: Clock = () => followed();

/** Has ids and stamps follow `clock` from now on, so that those of hosts whose clocks differ are in one order. */
export function setTimestampClock(clock: Clock): void {
  followed = clock;
}

/** What the watch of the clock knows, in this thread. */
export type Trust = {
  /** The moment up to which what expires may be taken away for good. */
  readonly upTo: (now: Date) => Date;
  /** The moment from which what is recorded now is kept for a while. */
  readonly from: (now: Date) => Date;
};

const ANY: Trust = { upTo: (now) => now, from: (now) => now };

let trust = ANY;

/**
 * The moment up to which what expires may be taken away for good: `now`, unless the clock is not trusted, or has leapt since it was
 * looked at; then a moment before. For what calls do that cannot be undone; what housekeeping does waits as a whole.
 */
export function latestTrustedTime(now: Date): Date {
  return trust.upTo(now);
}

/**
 * The moment from which what is recorded at `now` is kept: `now`, unless the clock has gone back behind one that was trusted; then
 * that one. Dated by such a clock it would seem old, and be forgotten at once, when the clock is right again.
 */
export function retentionStartOf(now: Date): Date {
  return trust.from(now);
}

/** Has both follow what watches the clock, in this thread; every moment is trusted until then, and again without it. */
export function setClockTrust(watched: Trust = ANY): void {
  trust = watched;
}
