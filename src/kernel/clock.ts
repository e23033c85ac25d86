/** Tells the present. An argument wherever time matters, so that a test can stand on any day it likes. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();
