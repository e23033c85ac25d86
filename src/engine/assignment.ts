import { derivedId } from '../kernel/ids.ts';
import type { Amount } from '../kernel/amount.ts';
import type { PeriodNumber } from './time/period.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';

/**
 * The progress of one account in one mission, or in one period of a ROUTINE. It exists from the first progress on. It
 * is never EXPIRED: views compute that from the dates (see `view-mission.ts`).
 */
export type AssignmentState = {
  readonly id: string;
  readonly missionId: string;
  readonly accountId: string;
  /** {@link NO_PERIOD}, or the key of one period of a ROUTINE. */
  readonly periodKey: string;
  /**
   * From zero to `target`, in the present round of a mission that repeats. For a STREAK, the length of the run when the last event was
   * applied.
   */
  readonly progress: Amount;
  readonly target: Amount;
  /** COMPLETED: no further event counts. A mission that repeats is ACTIVE until its last round. */
  readonly status: 'ACTIVE' | 'COMPLETED';
  /**
   * The time at which the event occurred that counted first. A late event may have occurred earlier, and does not change it.
   */
  readonly startedAt: Timestamp;
  /**
   * The time of the decision, not of the last event, so that a reader of new completions misses none. With `repeat`, of the latest round.
   */
  readonly completedAt?: Timestamp | undefined;
  /**
   * The time at which the completing event occurred: missions that it unlocks count no earlier event. With `repeat`, of the first round.
   * Absent in rows of 0.1.0.
   */
  readonly completionOccurredAt?: Timestamp | undefined;
  /** State beside `progress`, of streaks, caps, cooldowns and rounds; absent for a mission with none of them. */
  readonly detail?: AssignmentDetail | undefined;
};

/** Kept as JSON. Amounts in it are ten-thousandths, bounded by their targets and so exact as JSON numbers. */
export type AssignmentDetail = LimitState & {
  readonly streak?: StreakDetail;
  /** With `repeat`, the completed rounds. */
  readonly completions?: number;
  /** The amount beyond the target of the last round, which a reversal of another event gives back; absent at 0. */
  readonly surplus?: number;
  /** The longest milestone of a STREAK that was reached, so that no shorter one is paid again; absent for none. */
  readonly milestone?: number;
  /** Whether a reversal took a completion or a milestone back: the account may have kept rewards of it. Absent for never. */
  readonly reversed?: true;
};

/** The state that conditions keep between events, by the condition. */
export type ConditionStates = {
  readonly maxPerPeriod: {
    /** The amounts counted in periods that late events can still reach, oldest first. */
    readonly counted?: PeriodSums;
    /** The latest period whose sum was removed from `counted`; absent for none. A backfilled event of it, or of one before it, is too late. */
    readonly dropped?: PeriodNumber;
  };
  readonly cooldownMinutes: {
    /** The latest time at which an event occurred that counted. */
    readonly countedAt?: Timestamp;
  };
};

/** The state of all conditions: their fields are stored side by side. */
export type LimitState = Together<ConditionStates>;

/** An object with the fields of all entries. */
type Together<Entries> = {
  readonly [Name in keyof Entries]: (entry: Entries[Name]) => void;
}[keyof Entries] extends (all: infer All) => void
  ? All
  : never;

/** How the progress of two accounts in one mission is combined: the larger one, or the sum. */
export type MergedProgress = 'MAX' | 'SUM';

/**
 * A STREAK in two parts. Periods that late events cannot reach are merged into one `settled` run; later periods keep
 * their sums. So a late event counts in its own period and repairs the streak.
 */
export type StreakDetail = {
  readonly settled: Run;
  readonly open: PeriodSums;
  /**
   * The latest period that was removed from `open` below its goal, if it is after `settled.lastKept`; otherwise absent. A backfilled event of
   * it, or of one before it, is too late.
   */
  readonly dropped?: PeriodNumber;
  /** The amounts beyond the goal of open periods, which a reversal gives back; absent without any. */
  readonly surplus?: PeriodSums;
};

/** A run of kept periods, in its state at the last kept period. */
export type Run = {
  readonly current: number;
  readonly longest: number;
  /** The remaining `gracePeriods`; the name is that of the stored JSON. */
  readonly freezesLeft: number;
  readonly lastKept: PeriodNumber | null;
};

/** Sums by period, oldest first. */
export type PeriodSums = readonly (readonly [period: PeriodNumber, tenThousandths: number])[];

/** An account's assignments by {@link assignmentKey}; a Map is one. */
export type Assignments = { get(key: string): AssignmentState | undefined };

/** The period key of missions without periods: every type but ROUTINE, and a ROUTINE as a whole. */
export const NO_PERIOD = '';

/** The key of an assignment within its account: the mission's id, except for periods of a ROUTINE. */
export function assignmentKey(missionId: string, periodKey: string): string {
  return periodKey === NO_PERIOD ? missionId : `${missionId} ${periodKey}`;
}

/** The id of an assignment, known before its row exists. */
export function assignmentId(missionId: string, accountId: string, periodKey: string): string {
  return derivedId(missionId, accountId, periodKey);
}
