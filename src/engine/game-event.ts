import type { Amount } from '../kernel/amount.ts';
import type { Timestamp } from './time/timestamp.ts';

/** Something that an account did. */
export type GameEvent = {
  readonly programmaticCode: string;
  /** Its `amount`, or one for an event of type SINGLE. */
  readonly amount: Amount;
  /** The time at which it occurred. It counts in the period and the windows of that time, however late it arrives. */
  readonly occurredAt: Timestamp;
  /** The time of its acceptance if it is asynchronous, otherwise of its arrival; never before `occurredAt`. */
  readonly acceptedAt: Timestamp;
};
