import { assignmentKey, NO_PERIOD, type Assignments } from './assignment.ts';
import { heldBackBelow } from './control-group.ts';
import type { CampaignRule, CampaignStatus, ClaimPolicy } from './missions/mission-rule.ts';
import { type Interval, isWithin } from './time/interval.ts';
import { CLOCKS_APART, type Timestamp } from '../kernel/time/timestamp.ts';

/** A campaign, compiled for the hot path. */
export type CampaignPlan = {
  readonly campaignId: string;
  readonly status: CampaignStatus;
  readonly claimPolicy: ClaimPolicy;
  readonly audienceIds: readonly string[];
  /** See `isHeldBack`; 0 for a campaign without a control group. */
  readonly heldBackBelow: number;
  /** The ids of the completion rewards. */
  readonly rewardIds: readonly string[];
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
  /** Earlier events do not count: one minute before the first activation; minus infinity with `startsAt`, which is in `opensAt`. */
  readonly countsFrom: Timestamp;
  /** The pauses, oldest first; the last may have no end yet. */
  readonly pauses: readonly Interval[];
  /**
   * The start of the current pause; `Infinity` if it is not paused. A host of 0.1.0 stored no pauses: then minus
   * infinity.
   */
  readonly pausedSince: Timestamp;
  /** Every mission of the campaign; completing all of them completes it. */
  readonly missionIds: readonly string[];
};

/** The plan of one campaign and the ids of all its missions. */
export function compileCampaign(rule: CampaignRule, missionIds: readonly string[]): CampaignPlan {
  const { pauses = [] } = rule;
  return {
    campaignId: rule.id,
    status: rule.status,
    claimPolicy: rule.claimPolicy,
    audienceIds: rule.audienceIds,
    heldBackBelow: heldBackBelow(rule.controlGroupPercent),
    rewardIds: rule.rewardIds,
    opensAt: rule.startsAt ?? -Infinity,
    closesAt: Math.min(rule.endsAt ?? Infinity, rule.endedAt ?? Infinity),
    countsFrom: countsSince(rule.startsAt, rule.activatedAt),
    pauses,
    pausedSince: rule.status === 'PAUSED' ? pausedSince(pauses) : Infinity,
    missionIds,
  };
}

/** The time from which events count. Minus infinity with `startsAt`, because the window applies; otherwise a minute before `begun`. */
export function countsSince(startsAt: Timestamp | undefined, begun: Timestamp | undefined): Timestamp {
  return startsAt === undefined && begun !== undefined ? begun - CLOCKS_APART : -Infinity;
}

function pausedSince(pauses: readonly Interval[]): Timestamp {
  const last = pauses.at(-1);
  return last?.until === Infinity ? last.from : -Infinity;
}

/** Whether the campaign was paused at an instant. */
export function isPausedAt({ pauses, pausedSince: since }: CampaignPlan, instant: Timestamp): boolean {
  return instant >= since || isWithin(pauses, instant);
}

/** Whether an account has completed every mission of a campaign. A campaign without missions is never complete. */
export function isCampaignComplete(campaign: CampaignPlan, assignments: Assignments): boolean {
  return campaign.missionIds.length > 0 && campaign.missionIds.every((id) => hasCompletedOnce(id, assignments));
}

/** Whether an account has completed a mission as a whole; for a ROUTINE, all its occurrences; with `repeat`, at least one round. */
export function hasCompletedOnce(missionId: string, assignments: Assignments): boolean {
  return assignments.get(assignmentKey(missionId, NO_PERIOD))?.completedAt !== undefined;
}

/** Whether no further event counts for an account's mission, because it is completed as a whole; with `repeat`, all its rounds. */
export function hasCompletedAllRounds(missionId: string, assignments: Assignments): boolean {
  return assignments.get(assignmentKey(missionId, NO_PERIOD))?.status === 'COMPLETED';
}
