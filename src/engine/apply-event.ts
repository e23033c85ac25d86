import type { AccountContext } from './account-context.ts';
import { refusal } from './admission.ts';
import { assignmentKey, NO_PERIOD, type Assignments, type AssignmentState } from './assignment.ts';
import { isCampaignComplete, hasCompletedOnce, type CampaignPlan } from './campaign-plan.ts';
import type { Decision } from './decision.ts';
import type { GameEvent } from './game-event.ts';
import type { MissionPlan } from './missions/mission-plan.ts';
import { missionTypes } from './missions/mission-types.ts';
import type { Steps } from '../kernel/concurrency/time-slices.ts';
import type { Timestamp } from '../kernel/time/timestamp.ts';

/** Missions in one step: a tenth of a millisecond. */
const MISSIONS_PER_STEP = 50;

/**
 * Decides one event for each of the missions, in their order, and then for their campaigns. Every mission sees the account in its state
 * before the event: an event that completes a prerequisite does not yet count for the mission that it unlocks.
 * @param now the time at which the event is applied; completions carry it
 */
export function applyEvent(
  plans: readonly MissionPlan[],
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): Decision[] {
  const decisions: Decision[] = [];
  for (const plan of plans) applyToMission(plan, account, event, now, decisions);
  closeCampaigns(plans, account.assignments, decisions);
  return decisions;
}

/** {@link applyEvent} in steps, because an event may concern thousands of missions. */
export function* applyInSteps(...[plans, account, event, now]: Parameters<typeof applyEvent>): Steps<Decision[]> {
  const decisions: Decision[] = [];
  for (const [index, plan] of plans.entries()) {
    applyToMission(plan, account, event, now, decisions);
    if (index % MISSIONS_PER_STEP === MISSIONS_PER_STEP - 1) yield;
  }
  closeCampaigns(plans, account.assignments, decisions);
  return decisions;
}

/** Writes the decisions into the assignments, so that the next event of the account sees them. */
export function recordDecisions(assignments: Map<string, AssignmentState>, decisions: readonly Decision[]): void {
  for (const decision of decisions) {
    if (!('assignment' in decision)) continue;
    const { assignment } = decision;
    assignments.set(assignmentKey(assignment.missionId, assignment.periodKey), assignment);
  }
}

function applyToMission(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
  decisions: Decision[],
): void {
  const { missionId, rewardIds } = plan;
  const outcome = refusal(plan, account, event, now) ?? missionTypes[plan.type].advance(plan, account, event, now);
  if (typeof outcome === 'string') {
    const judged =
      plan.refuseByProgress.length > 0 && missionTypes[plan.type].progressBefore(plan, account, event, now);
    decisions.push({
      kind: 'uncounted',
      missionId,
      reason: outcome,
      ...(judged !== false && { previousProgress: judged }),
    });
    return;
  }
  const { rounds, ...change } = outcome;
  if (rounds === 0) {
    decisions.push({ kind: 'progressed', missionId, ...change });
    return;
  }
  decisions.push({ kind: 'completed', missionId, ...change, rounds, rewardIds });
  const assignment = missionTypes[plan.type].countCompletion(plan, account, event, now);
  if (assignment !== undefined) decisions.push({ kind: 'occurrenceCounted', missionId, assignment });
}

/** Appends one decision for each campaign that the missions completed now for the first time have completed. */
function closeCampaigns(plans: readonly MissionPlan[], before: Assignments, decisions: Decision[]): void {
  if (!decisions.some(mayFinish)) return;
  const finished = new Map<string, AssignmentState>();
  for (const decision of decisions) {
    if (!mayFinish(decision)) continue;
    const { assignment } = decision;
    const { missionId, periodKey } = assignment;
    const isFirst = assignment.completedAt !== undefined && !hasCompletedOnce(missionId, before);
    if (periodKey === NO_PERIOD && isFirst) finished.set(missionId, assignment);
  }
  if (finished.size === 0) return;

  const after: Assignments = { get: (key) => finished.get(key) ?? before.get(key) };
  const campaigns = new Set<CampaignPlan>();
  for (const plan of plans) if (plan.campaign && finished.has(plan.missionId)) campaigns.add(plan.campaign);
  for (const campaign of campaigns) if (isCampaignComplete(campaign, after)) decisions.push(campaignClosing(campaign));
}

/** Whether a decision may complete a mission as a whole; most events have none. */
function mayFinish(decision: Decision): decision is Extract<Decision, { kind: 'completed' | 'occurrenceCounted' }> {
  return decision.kind === 'completed' || decision.kind === 'occurrenceCounted';
}

/** The decision that closes a campaign, or leaves it to be claimed. */
export function campaignClosing({ campaignId, claimPolicy, rewardIds }: CampaignPlan): Decision {
  if (claimPolicy === 'EXPLICIT') return { kind: 'campaignClaimable', campaignId };
  return { kind: 'campaignClosed', campaignId, rewardIds };
}
