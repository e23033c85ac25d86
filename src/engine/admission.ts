import type { AccountContext } from './account-context.ts';
import { hasCompletedAllRounds, isPausedAt } from './campaign-plan.ts';
import { isHeldBack } from './control-group.ts';
import type { UncountedReason } from './decision.ts';
import type { GameEvent } from './game-event.ts';
import { firstRefusal } from './missions/conditions/conditions.ts';
import { missionTypes } from './missions/mission-types.ts';
import type { AccountWithoutAssignments, MissionPlan } from './missions/mission-plan.ts';
import { CLOCKS_APART, type Timestamp } from '../kernel/time/timestamp.ts';

/**
 * The reason for which an event does not count for a mission, apart from the mission's progress; undefined if it may count. Decisions about
 * time use the time at which the event occurred, and for pauses also the time at which it was accepted. They never use the time at which it
 * is applied, so a wait changes nothing, except for the run of a STREAK.
 * @param now the time at which the event is applied
 */
export function refusal(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): UncountedReason | undefined {
  if (event.programmaticCode !== plan.programmaticCode) return 'NO_MISSION';
  return (
    refusedByOffer(plan, account, event) ??
    refusedByAssignments(plan, account, event) ??
    refusedByEvent(plan, account, event) ??
    refusedByProgress(plan, account, event, now)
  );
}

/** The time since which the mission is for the account; `Infinity` if it is in no audience of it, or held back by the campaign. */
export function memberSince(plan: MissionPlan, account: Pick<AccountContext, 'accountId' | 'audiences'>): Timestamp {
  return isHeldBack(plan.campaign, account.accountId) ? Infinity : joinedAt(plan, account);
}

/** The time since which the account has been in an audience of the mission; `Infinity` if it is in none. */
function joinedAt(plan: MissionPlan, account: Pick<AccountContext, 'audiences'>): Timestamp {
  if (plan.audienceIds === undefined) return -Infinity;
  let since = Infinity;
  for (const id of plan.audienceIds) since = Math.min(since, account.audiences.get(id) ?? Infinity);
  return since;
}

/** Whether the account was a member of one of the mission's audiences at an instant, and has left that audience since. */
function wasMember(plan: MissionPlan, { formerAudiences }: AccountWithoutAssignments, instant: Timestamp): boolean {
  if (formerAudiences === undefined || plan.audienceIds === undefined) return false;
  return plan.audienceIds.some((id) =>
    formerAudiences.get(id)?.some(({ from, until }) => from - CLOCKS_APART <= instant && instant < until),
  );
}

/** The reason for which an event does not count for a mission, regardless of the account's assignments. */
export function refusalWithoutAssignments(
  plan: MissionPlan,
  account: AccountWithoutAssignments,
  event: GameEvent,
): UncountedReason | undefined {
  return refusedByOffer(plan, account, event) ?? refusedByEvent(plan, account, event);
}

function refusedByOffer(
  plan: MissionPlan,
  account: AccountWithoutAssignments,
  event: GameEvent,
): UncountedReason | undefined {
  const { campaign } = plan;
  if (campaign !== undefined) {
    if (campaign.status === 'DRAFT') return 'CAMPAIGN_NOT_ACTIVE';
    if (event.occurredAt < campaign.opensAt || event.occurredAt >= campaign.closesAt) return 'CAMPAIGN_NOT_ACTIVE';
    if (isPausedAt(campaign, event.occurredAt) || isPausedAt(campaign, event.acceptedAt)) return 'CAMPAIGN_PAUSED';
  }
  const since = joinedAt(plan, account);
  if (event.occurredAt < since - CLOCKS_APART && !wasMember(plan, account, event.occurredAt))
    return since === Infinity ? 'NOT_IN_AUDIENCE' : 'BEFORE_JOINING';
  if (isHeldBack(campaign, account.accountId)) return 'CONTROL_GROUP';
  if (event.occurredAt < plan.countsFrom) return 'BEFORE_ACTIVATION';
  if (event.occurredAt < plan.opensAt) return 'NOT_STARTED';
  if (event.occurredAt >= plan.closesAt) return 'EXPIRED';
  return undefined;
}

function refusedByAssignments(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
): UncountedReason | undefined {
  if (hasCompletedAllRounds(plan.missionId, account.assignments)) return 'ALREADY_COMPLETED';
  return firstRefusal(plan.refuseByAssignments, event, account);
}

function refusedByEvent(
  plan: MissionPlan,
  account: AccountWithoutAssignments,
  event: GameEvent,
): UncountedReason | undefined {
  if (event.amount <= 0n) return 'NOT_POSITIVE';
  return firstRefusal(plan.refuseByEvent, event, account);
}

function refusedByProgress(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): UncountedReason | undefined {
  if (plan.refuseByProgress.length === 0) return undefined;
  const progress = missionTypes[plan.type].progressBefore(plan, account, event, now);
  return firstRefusal(plan.refuseByProgress, event, { account, progress });
}
