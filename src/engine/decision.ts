import { uncountedReasons } from '../../gen/uncounted-reasons.ts';
import type { Amount } from '../kernel/amount.ts';
import type { AssignmentState } from './assignment.ts';
import type { Milestone } from './missions/mission-rule.ts';
import type { PeriodNumber } from './time/period.ts';

/**
 * A result of applying one event. The caller stores every `assignment` as the new state, in the order of the decisions.
 */
export type Decision = Progressed | Completed | OccurrenceCounted | CampaignClosed | CampaignClaimable | Uncounted;

/** A run of a STREAK that had ended before an event. Periods are keys of `periodKey`. */
export type LostRun = {
  /** The number of kept periods in the run. */
  readonly periods: number;
  readonly lastKept: string;
  /** The period of the event. */
  readonly period: string;
  /** The time zone of the calendar. */
  readonly timeZone: string;
};

/** The part of an event that counted for a mission: after caps, before the cut at the target. */
export type CountedInPeriod = {
  readonly amount: Amount;
  /** The period of a STREAK, or of `maxPerPeriod`; undefined for other missions. */
  readonly period: PeriodNumber | undefined;
};

/** The event counted; the target is not reached. For a STREAK `progress` may be unchanged: the sum of the period grew, the run did not. */
export type Progressed = {
  readonly kind: 'progressed';
  readonly missionId: string;
  /** Progress just before the event; 0 for a streak that had ended. */
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  readonly counted: CountedInPeriod;
  /** The former run of a STREAK that had ended, to explain a progress of 1. */
  readonly lostRun?: LostRun;
  /** The milestones of a STREAK that the event was the first to reach, shortest first: deliver their rewards. Absent without any. */
  readonly milestones?: readonly Milestone[];
};

/**
 * The event reached the target: deliver the mission's rewards, once for each round. `assignment` is the state to store. A mission that
 * repeats may be in its next round there; answers show the completed one.
 */
export type Completed = {
  readonly kind: 'completed';
  readonly missionId: string;
  readonly previousProgress: Amount;
  /** The times that the event reached the target: above 1 only for a mission that repeats. */
  readonly rounds: number;
  readonly assignment: AssignmentState;
  readonly counted: CountedInPeriod;
  /** The former run of a STREAK that had ended, to explain a progress of 1. */
  readonly lostRun?: LostRun;
  /** As in {@link Progressed}. */
  readonly milestones?: readonly Milestone[];
  readonly rewardIds: readonly string[];
};

/**
 * A ROUTINE with `occurrences` has completed one more period; follows the `completed` of that period. `assignment` is the one of the whole
 * routine, which counts periods and delivers no rewards.
 */
export type OccurrenceCounted = {
  readonly kind: 'occurrenceCounted';
  readonly missionId: string;
  readonly assignment: AssignmentState;
};

/**
 * The event completed the last mission of a campaign: deliver its rewards. A mission added later can complete the
 * campaign again, so the caller keeps the first closing.
 */
export type CampaignClosed = {
  readonly kind: 'campaignClosed';
  readonly campaignId: string;
  readonly rewardIds: readonly string[];
};

/** The event completed the last mission of a campaign whose rewards the account must claim. */
export type CampaignClaimable = {
  readonly kind: 'campaignClaimable';
  readonly campaignId: string;
};

/** The event changed nothing for a mission. This is no error. */
export type Uncounted = {
  readonly kind: 'uncounted';
  readonly missionId: string;
  readonly reason: UncountedReason;
  /** The progress that the mission's expression read; absent if it reads none. */
  readonly previousProgress?: Amount;
};

/** The reason for which an event has no effect on a mission: a name of the proto's `Uncounted.Reason`. */
export type UncountedReason = keyof typeof uncountedReasons;

/** The reasons in the order of the proto, which is that of the checks: a later reason means that the event was nearer to counting. */
export const reasonsByNearness = Object.keys(uncountedReasons) as readonly UncountedReason[];
