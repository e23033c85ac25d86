import type { Amount } from '../kernel/amount.ts';
import type { Timestamp } from './time/timestamp.ts';

/** Something that an account did. */
export type GameEvent = {
  readonly programmaticCode: string;
  /** What it counts for: its `amount`, or one for an event of type SINGLE. */
  readonly amount: Amount;
  /** When it happened. It counts in the period and the windows of that instant, however late it arrives. */
  readonly occurredAt: Timestamp;
  /** When the service took it, not before it occurred: at its acceptance if it waits to be applied, else at its arrival. */
  readonly acceptedAt: Timestamp;
};
