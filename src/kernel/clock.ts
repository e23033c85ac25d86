/** Tells the present. An argument wherever time matters, so that a test can stand on any day it likes. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

let followed: Clock = systemClock;

/**
 * What ids and the stamps of rows are told by, in this thread: the machine's clock until {@link stampsFollow} names a better
 * one. Nothing else reads it; what decides takes its moment as an argument.
 */
export const stampClock: Clock = () => followed();

/** Has ids and stamps follow `clock` from now on, so that those of hosts whose clocks differ are in one order. */
export function stampsFollow(clock: Clock): void {
  followed = clock;
}

let bound: (now: Date) => Date = (now) => now;

/**
 * The moment up to which what expires may be taken away for good: `now`, unless the clock is not trusted, or has leapt since it was
 * looked at; then a moment before. For what calls do that cannot be undone; what housekeeping does waits as a whole.
 */
export function trustedBy(now: Date): Date {
  return bound(now);
}

/** Has {@link trustedBy} follow what watches the clock, in this thread. Until then every moment is trusted. */
export function trustFollows(trusted: (now: Date) => Date): void {
  bound = trusted;
}
