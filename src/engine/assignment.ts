import { derivedId } from '../kernel/ids.ts';
import type { Amount } from '../kernel/amount.ts';
import type { PeriodNumber } from './time/period.ts';
import type { Timestamp } from './time/timestamp.ts';

/**
 * How far one account has come with one mission, or with one period of a ROUTINE. Exists from the first progress on. It
 * never says EXPIRED: that follows from the dates, whenever somebody looks (see `view-mission.ts`).
 */
export type AssignmentState = {
  readonly id: string;
  readonly missionId: string;
  readonly accountId: string;
  /** {@link NO_PERIOD}, or for one period of a ROUTINE its key. */
  readonly periodKey: string;
  /** From zero to `target`. For a STREAK the length of the run at the moment the last event was applied. */
  readonly progress: Amount;
  readonly target: Amount;
  readonly status: 'ACTIVE' | 'COMPLETED';
  /** When the first event occurred that was accepted; one that arrives late may be earlier, and moves nothing. */
  readonly startedAt: Timestamp;
  /** When the completion was decided, not when its last event occurred: so a reader that asks "what is new" misses none. */
  readonly completedAt?: Timestamp | undefined;
  /** When the event occurred that completed it: what it unlocks counts nothing from before. Rows of 0.1.0 do not have it. */
  readonly completionOccurredAt?: Timestamp | undefined;
  /** What `progress` alone cannot tell; absent for a mission without periods. */
  readonly detail?: AssignmentDetail | undefined;
};

/** Kept as JSON. Amounts in it are ten-thousandths, bounded by their targets and so exact as JSON numbers. */
export type AssignmentDetail = {
  readonly streak?: StreakDetail;
  /** What `maxPerPeriod` has let through in the periods that an event may still reach, oldest first. */
  readonly counted?: PeriodSums;
};

/**
 * A STREAK in two parts. Periods out of reach of late events are folded into one `settled` run; the few that an event may
 * still reach keep their sums. So an event that arrives late lands in its own period and repairs the streak.
 */
export type StreakDetail = {
  readonly settled: Run;
  readonly open: PeriodSums;
};

/** A run of kept periods, as it stood at its last one. */
export type Run = {
  readonly current: number;
  readonly longest: number;
  readonly freezesLeft: number;
  readonly lastKept: PeriodNumber | null;
};

/** Sums by period, oldest first. */
export type PeriodSums = readonly (readonly [period: PeriodNumber, tenThousandths: number])[];

/** An account's assignments by {@link assignmentKey}; a Map is one. */
export type Assignments = { get(key: string): AssignmentState | undefined };

/** The period key of what has no periods: every type but ROUTINE, and a ROUTINE as a whole. */
export const NO_PERIOD = '';

/** The name of an assignment among those of its account. For all but periods of a ROUTINE it is the mission's id. */
export function assignmentKey(missionId: string, periodKey: string): string {
  return periodKey === NO_PERIOD ? missionId : `${missionId} ${periodKey}`;
}

/** The id that an assignment has before it has a row. */
export function assignmentId(missionId: string, accountId: string, periodKey: string): string {
  return derivedId(missionId, accountId, periodKey);
}
