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

/** Why an event changes nothing, in words for a person who wonders. */
export const ignoreReasons = {
  WRONG_EVENT: 'The mission counts events of another code.',
  CAMPAIGN_NOT_ACTIVE: 'The campaign is a draft, or was not open when the event occurred.',
  CAMPAIGN_PAUSED: 'The campaign was paused when the event occurred or was accepted.',
  NOT_IN_AUDIENCE: 'The account is in none of the audiences.',
  BEFORE_JOINING: 'The event occurred before the account joined the audience.',
  BEFORE_ACTIVATION: 'The event occurred before the campaign was activated, or the mission created.',
  NOT_STARTED: 'The event occurred before the mission starts.',
  EXPIRED: 'The event occurred after the mission closed for the account.',
  ALREADY_COMPLETED: 'The account has completed the mission, or this period of it.',
  PREREQUISITE_MISSING: 'The account has yet to complete a mission that this one requires.',
  BEFORE_PREREQUISITE: 'The event occurred before the account completed a mission that this one requires.',
  NOT_POSITIVE: 'The amount is zero or below.',
  BELOW_MINIMUM: 'The amount is below the smallest that counts.',
  ABOVE_MAXIMUM: 'The amount is above the largest that counts.',
  OUTSIDE_HOURS: 'The event occurred on a day or at a time of day that does not count.',
  CAP_REACHED: 'The period has already counted the most that it may.',
  PERIOD_KEPT: 'The period has already reached what the streak asks of it.',
  TOO_LATE: 'The event belongs to a period that is settled.',
} as const;

/** Why an event changes nothing for a mission. */
export type IgnoreReason = keyof typeof ignoreReasons;
