import type { Amount } from '../kernel/amount.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';

/** An action of an account. */
export type GameEvent = {
  readonly programmaticCode: string;
  /** The `amount` of the event, or one for an event of type SINGLE. */
  readonly amount: Amount;
  /** The time at which it occurred. It counts in the period and the windows of that time, however late it arrives. */
  readonly occurredAt: Timestamp;
  /** The time of acceptance for an asynchronous event, otherwise the time of arrival; never before `occurredAt`. */
  readonly acceptedAt: Timestamp;
};
