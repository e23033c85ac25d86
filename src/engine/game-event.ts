import type { Amount } from '../kernel/amount.ts';
import type { AttributeValues } from '../attributes/attribute-values.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';

/** Whether events of a code carry an amount. */
export type EventType = 'SINGLE' | 'AMOUNT';

/** An action of an account. */
export type GameEvent = {
  readonly programmaticCode: string;
  /** The declared attributes of the event. */
  readonly attributes: AttributeValues;
  /** The `amount` of the event, or one for an event of type SINGLE. */
  readonly amount: Amount;
  /** The time at which it occurred. It counts in the period and the windows of that time, however late it arrives. */
  readonly occurredAt: Timestamp;
  /** The time of acceptance for an asynchronous event, otherwise the time of arrival; never before `occurredAt`. */
  readonly acceptedAt: Timestamp;
  /** Whether it is judged as if it had arrived when it occurred, however late it is applied; `acceptedAt` is then that time. */
  readonly isBackfilled?: boolean;
};

/** The time as of which an event is judged. @param now the time at which it is applied */
export function judgedAt({ occurredAt, isBackfilled = false }: GameEvent, now: Timestamp): Timestamp {
  return isBackfilled ? occurredAt : now;
}
