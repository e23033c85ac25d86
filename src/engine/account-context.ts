import type { Assignments } from './assignment.ts';
import type { Calendar } from './time/calendar.ts';
import type { Interval } from './time/interval.ts';
import type { Timestamp } from './time/timestamp.ts';

/** An account as the rules see it. */
export type AccountContext = {
  readonly accountId: string;
  readonly createdAt: Timestamp;
  /** Of the account's own zone, else of its client's. */
  readonly calendar: Calendar;
  /** Every audience that the account is in, and since when: for ever in those of kind EVERYONE. */
  readonly audiences: ReadonlyMap<string, Timestamp>;
  /**
   * When it was in audiences and left them: an event that occurred then counts. Read only for events that come late, which is why
   * it may be missing; what an account sees never depends on it.
   */
  readonly formerAudiences?: ReadonlyMap<string, readonly Interval[]> | undefined;
  /** The assignments that the plan at hand may read: see `Candidates.missionIds` and `periodKeysAt`. */
  readonly assignments: Assignments;
};
