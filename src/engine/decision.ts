import type { Amount } from '../kernel/amount.ts';
import type { AssignmentState } from './assignment.ts';

/**
 * What the rules conclude from one event. The caller records it: every `assignment` is the new state to store, in the
 * order of the decisions.
 */
export type Decision = Progressed | Completed | OccurrenceCounted | CampaignClosed | CampaignClaimable | Ignored;

/** A run of a STREAK that had lapsed before an event. Periods are named as by `periodKey`. */
export type LostRun = {
  /** How many kept periods it had. */
  readonly periods: number;
  readonly lastKept: string;
  /** The period of the event. */
  readonly period: string;
  /** By whose calendar days begin and end. */
  readonly timeZone: string;
};

/** The event counted; the target is not reached. For a STREAK `progress` may be as before: the period grew, the run did not. */
export type Progressed = {
  readonly kind: 'progressed';
  readonly missionId: string;
  /** Progress as it was seen the moment before, so 0 for a streak that had lapsed. */
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  /** Of a STREAK that had lapsed: what it was, so that somebody who asks where it went can be told. */
  readonly lostRun?: LostRun;
};

/** The event reached the target: deliver the mission's rewards. */
export type Completed = {
  readonly kind: 'completed';
  readonly missionId: string;
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  /** Of a STREAK that had lapsed: what it was, so that somebody who asks where it went can be told. */
  readonly lostRun?: LostRun;
  readonly rewardIds: readonly string[];
};

/**
 * A ROUTINE with `occurrences` has one completed period more; follows the `completed` of that period. `assignment` is the
 * one of the routine as a whole, which counts periods and delivers nothing of its own.
 */
export type OccurrenceCounted = {
  readonly kind: 'occurrenceCounted';
  readonly missionId: string;
  readonly assignment: AssignmentState;
};

/**
 * The event completed the last mission of a campaign: deliver its rewards. A mission added to a campaign later can make it
 * complete once more, so the caller that records a closing lets the first one stand.
 */
export type CampaignClosed = {
  readonly kind: 'campaignClosed';
  readonly campaignId: string;
  readonly rewardIds: readonly string[];
};

/** The same for a campaign that waits to be claimed. */
export type CampaignClaimable = {
  readonly kind: 'campaignClaimable';
  readonly campaignId: string;
};

/** The event changed nothing for a mission. No error. */
export type Ignored = {
  readonly kind: 'ignored';
  readonly missionId: string;
  readonly reason: IgnoreReason;
};

/**
 * Why an event changes nothing for a mission, in the order in which the rules ask: the later the reason, the nearer the event came
 * to counting. The names are those of the proto's `Uncounted.Reason`, whose comments say what each means.
 */
export const ignoreReasons = [
  'NO_MISSION',
  'CAMPAIGN_NOT_ACTIVE',
  'CAMPAIGN_PAUSED',
  'NOT_IN_AUDIENCE',
  'BEFORE_JOINING',
  'BEFORE_ACTIVATION',
  'NOT_STARTED',
  'EXPIRED',
  'ALREADY_COMPLETED',
  'PREREQUISITE_MISSING',
  'BEFORE_PREREQUISITE',
  'NOT_POSITIVE',
  'BELOW_MINIMUM',
  'ABOVE_MAXIMUM',
  'OUTSIDE_HOURS',
  'CAP_REACHED',
  'PERIOD_KEPT',
  'TOO_LATE',
] as const;

/** Why an event changes nothing for a mission. */
export type IgnoreReason = (typeof ignoreReasons)[number];
