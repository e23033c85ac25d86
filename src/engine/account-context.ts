import type { Assignments } from './assignment.ts';

/** An account as the rules see it. */
export type AccountContext = {
  readonly accountId: string;
  /** IANA name: the account's own, else its client's. */
  readonly timeZone: string;
  /** Every audience that the account is in, those of kind EVERYONE included. */
  readonly audienceIds: ReadonlySet<string>;
  /** The assignments that the plan at hand may read: see `Candidates.missionIds` and `periodKeysAt`. */
  readonly assignments: Assignments;
};
