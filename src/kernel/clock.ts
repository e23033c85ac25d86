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
