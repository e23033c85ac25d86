import type { AccountContext } from './account-context.ts';
import { isMissionComplete, isPausedAt } from './campaign-plan.ts';
import type { IgnoreReason } from './decision.ts';
import type { GameEvent } from './game-event.ts';
import { firstRefusal } from './missions/conditions.ts';
import type { AccountWithoutHistory, MissionPlan } from './missions/mission-plan.ts';
import { CLOCKS_APART, type Timestamp } from './time/timestamp.ts';

/**
 * Why an event does not count for a mission, as far as this can be said without looking at its progress. Undefined: it
 * may count. Whatever depends on time goes by when the event occurred, and by when it was accepted where that says more:
 * never by when it is applied, so that nothing accepted is lost by what happens while it waits.
 */
export function refusal(plan: MissionPlan, account: AccountContext, event: GameEvent): IgnoreReason | undefined {
  if (event.programmaticCode !== plan.programmaticCode) return 'NO_MISSION';
  return (
    refusedByOffer(plan, account, event) ??
    refusedByHistory(plan, account, event) ??
    refusedByEvent(plan, account, event)
  );
}

/** Since when the account has been one of those that the mission is for; `Infinity` if it is not. */
export function memberSince(plan: MissionPlan, account: Pick<AccountContext, 'audiences'>): Timestamp {
  if (plan.audienceIds === undefined) return -Infinity;
  let since = Infinity;
  for (const id of plan.audienceIds) since = Math.min(since, account.audiences.get(id) ?? Infinity);
  return since;
}

/** Whether the account was one of those that the mission is for at an instant, and has left since. */
function wasMember(plan: MissionPlan, { formerAudiences }: AccountWithoutHistory, instant: Timestamp): boolean {
  if (formerAudiences === undefined || plan.audienceIds === undefined) return false;
  return plan.audienceIds.some((id) =>
    formerAudiences.get(id)?.some(({ from, until }) => from - CLOCKS_APART <= instant && instant < until),
  );
}

/** Why an event does not count for a mission, as far as this can be said without knowing what the account has done. */
export function refusalWithoutHistory(
  plan: MissionPlan,
  account: AccountWithoutHistory,
  event: GameEvent,
): IgnoreReason | undefined {
  return refusedByOffer(plan, account, event) ?? refusedByEvent(plan, account, event);
}

function refusedByOffer(plan: MissionPlan, account: AccountWithoutHistory, event: GameEvent): IgnoreReason | undefined {
  const { campaign } = plan;
  if (campaign !== undefined) {
    if (campaign.status === 'DRAFT') return 'CAMPAIGN_NOT_ACTIVE';
    if (event.occurredAt < campaign.opensAt || event.occurredAt >= campaign.closesAt) return 'CAMPAIGN_NOT_ACTIVE';
    if (isPausedAt(campaign, event.occurredAt) || isPausedAt(campaign, event.acceptedAt)) return 'CAMPAIGN_PAUSED';
  }
  const since = memberSince(plan, account);
  if (event.occurredAt < since - CLOCKS_APART && !wasMember(plan, account, event.occurredAt))
    return since === Infinity ? 'NOT_IN_AUDIENCE' : 'BEFORE_JOINING';
  if (event.occurredAt < plan.countsFrom) return 'BEFORE_ACTIVATION';
  if (event.occurredAt < plan.opensAt) return 'NOT_STARTED';
  if (event.occurredAt >= plan.closesAt) return 'EXPIRED';
  return undefined;
}

function refusedByHistory(plan: MissionPlan, account: AccountContext, event: GameEvent): IgnoreReason | undefined {
  if (isMissionComplete(plan.missionId, account.assignments)) return 'ALREADY_COMPLETED';
  return firstRefusal(plan.refuseByHistory, event, account);
}

function refusedByEvent(plan: MissionPlan, account: AccountWithoutHistory, event: GameEvent): IgnoreReason | undefined {
  if (event.amount <= 0n) return 'NOT_POSITIVE';
  return firstRefusal(plan.refuseByEvent, event, account);
}
