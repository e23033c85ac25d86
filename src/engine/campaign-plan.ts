import { assignmentKey, NO_PERIOD, type Assignments } from './assignment.ts';
import type { CampaignRule, CampaignStatus, ClaimPolicy } from './missions/mission-rule.ts';
import { type Interval, isWithin } from './time/interval.ts';
import { CLOCKS_APART, type Timestamp } from './time/timestamp.ts';

/** A campaign made ready for the hot path. */
export type CampaignPlan = {
  readonly campaignId: string;
  readonly status: CampaignStatus;
  readonly claimPolicy: ClaimPolicy;
  readonly audienceIds: readonly string[];
  /** Completion rewards. */
  readonly rewardIds: readonly string[];
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
  /** What occurred before does not count: a minute before its first activation, unless it has a start of its own. */
  readonly countsFrom: Timestamp;
  /** When it was paused, oldest first; the last of them may have no end yet. */
  readonly pauses: readonly Interval[];
  /** Since when it has been paused; `Infinity` if it is not. Paused by a host of 0.1.0, which kept no pauses: for ever. */
  readonly pausedSince: Timestamp;
  /** Every mission of the campaign: all of them completed is what completes it. */
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
    rewardIds: rule.rewardIds,
    opensAt: rule.startsAt ?? -Infinity,
    closesAt: Math.min(rule.endsAt ?? Infinity, rule.endedAt ?? Infinity),
    countsFrom: countsSince(rule.startsAt, rule.activatedAt),
    pauses,
    pausedSince: rule.status === 'PAUSED' ? pausedSince(pauses) : Infinity,
    missionIds,
  };
}

/**
 * From when on something counts that begins at a moment unless it has a start of its own: no other bound than that start, or
 * the moment, give or take a minute.
 */
export function countsSince(startsAt: Timestamp | undefined, begun: Timestamp | undefined): Timestamp {
  return startsAt === undefined && begun !== undefined ? begun - CLOCKS_APART : -Infinity;
}

function pausedSince(pauses: readonly Interval[]): Timestamp {
  const last = pauses.at(-1);
  return last?.until === Infinity ? last.from : -Infinity;
}

/** Whether it was paused at an instant. */
export function isPausedAt({ pauses, pausedSince: since }: CampaignPlan, instant: Timestamp): boolean {
  return instant >= since || isWithin(pauses, instant);
}

/** Whether an account has completed every mission of a campaign. One without missions is never complete. */
export function isCampaignComplete(campaign: CampaignPlan, assignments: Assignments): boolean {
  return campaign.missionIds.length > 0 && campaign.missionIds.every((id) => isMissionComplete(id, assignments));
}

/** Whether an account has completed a mission as a whole; a ROUTINE with all its occurrences. */
export function isMissionComplete(missionId: string, assignments: Assignments): boolean {
  return assignments.get(assignmentKey(missionId, NO_PERIOD))?.status === 'COMPLETED';
}
