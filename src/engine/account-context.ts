import type { Assignments } from './assignment.ts';
import type { Calendar } from './time/calendar.ts';
import type { Timestamp } from './time/timestamp.ts';

/** An account as the rules see it. */
export type AccountContext = {
  readonly accountId: string;
  readonly createdAt: Timestamp;
  /** Of the account's own zone, else of its client's. */
  readonly calendar: Calendar;
  /** Every audience that the account is in, and since when: for ever in those of kind EVERYONE. */
  readonly audiences: ReadonlyMap<string, Timestamp>;
  /** The assignments that the plan at hand may read: see `Candidates.missionIds` and `periodKeysAt`. */
  readonly assignments: Assignments;
};
