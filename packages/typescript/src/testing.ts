import type { Transport } from '@connectrpc/connect';

/** The settings of a double. */
export type DoubleOptions = {
  /** The time of the double, as text in RFC 3339 or a Date. It then does not go on until it is set. By default the clock of the machine. */
  readonly now?: Date | string | undefined;
  /** The time zone of accounts without their own, an IANA name; UTC by default. */
  readonly timeZone?: string | undefined;
};

/**
 * Laurel in memory, for tests: the real rules and handlers of the service, without a database. It begins empty, and is told its events,
 * rewards and campaigns by the calls that a service gets. An operation that it does not have is answered with `NOT_IMPLEMENTED`.
 *
 * The build replaces this declaration with the program: see the folder `double`.
 */
export declare class LaurelDouble {
  constructor(options?: DoubleOptions);

  /** For `new Laurel({ transport })`. */
  readonly transport: Transport;

  /** The time of the double. It may be set to a Date, or to text in RFC 3339. */
  get now(): Date;
  set now(moment: Date | string);

  /** Lets the time pass, in milliseconds. */
  pass(ms: number): void;
}
