import type { AccountContext } from './account-context.ts';
import { isMissionComplete, isPausedAt } from './campaign-plan.ts';
import type { IgnoreReason } from './decision.ts';
import type { GameEvent } from './game-event.ts';
import type { MissionPlan } from './missions/mission-plan.ts';
import { isOpenAt } from './missions/opening-hours.ts';
import { zoneOf } from '../kernel/zone-history.ts';
import { CLOCKS_APART, type Timestamp } from './time/timestamp.ts';

/**
 * Why an event does not count for a mission, as far as this can be said without looking at its progress. Undefined: it
 * may count. Whatever depends on time goes by when the event occurred, and by when it was accepted where that says more:
 * never by when it is applied, so that nothing accepted is lost by what happens while it waits.
 */
export function refusal(plan: MissionPlan, account: AccountContext, event: GameEvent): IgnoreReason | undefined {
  if (event.programmaticCode !== plan.programmaticCode) return 'WRONG_EVENT';
  return (
    refusedByOffer(plan, account, event) ??
    refusedByHistory(plan, account, event) ??
    refusedByAmount(plan, event) ??
    refusedByHours(plan, account, event)
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
function wasMember(plan: MissionPlan, { formerAudiences }: Judged, instant: Timestamp): boolean {
  if (formerAudiences === undefined || plan.audienceIds === undefined) return false;
  return plan.audienceIds.some((id) =>
    formerAudiences.get(id)?.some(({ from, until }) => from - CLOCKS_APART <= instant && instant < until),
  );
}

/** An account, whatever it has done. */
type Judged = Omit<AccountContext, 'assignments'>;

/** Why an event does not count for a mission, as far as this can be said without knowing what the account has done. */
export function refusedWhateverDone(plan: MissionPlan, account: Judged, event: GameEvent): IgnoreReason | undefined {
  const refused = refusedByOffer(plan, account, event) ?? refusedByAmount(plan, event);
  return refused ?? refusedByHours(plan, account, event);
}

function refusedByOffer(plan: MissionPlan, account: Judged, event: GameEvent): IgnoreReason | undefined {
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

function refusedByHistory(
  plan: MissionPlan,
  account: AccountContext,
  { occurredAt }: GameEvent,
): IgnoreReason | undefined {
  if (isMissionComplete(plan.missionId, account.assignments)) return 'ALREADY_COMPLETED';
  let metAt = -Infinity;
  for (const id of plan.prerequisites) {
    if (!isPrerequisiteMet(id, account)) return 'PREREQUISITE_MISSING';
    metAt = Math.max(metAt, account.assignments.get(id)?.completionOccurredAt ?? -Infinity);
  }
  return occurredAt < metAt ? 'BEFORE_PREREQUISITE' : undefined;
}

function refusedByAmount(plan: MissionPlan, { amount }: GameEvent): IgnoreReason | undefined {
  if (amount <= 0n) return 'NOT_POSITIVE';
  if (plan.minAmount !== undefined && amount < plan.minAmount) return 'BELOW_MINIMUM';
  if (plan.maxAmount !== undefined && amount > plan.maxAmount) return 'ABOVE_MAXIMUM';
  return undefined;
}

function refusedByHours(plan: MissionPlan, account: Judged, event: GameEvent): IgnoreReason | undefined {
  return isWithinHours(plan, account, event.occurredAt) ? undefined : 'OUTSIDE_HOURS';
}

/** Whether an account has done what a mission that names `missionId` as a prerequisite waits for. */
export function isPrerequisiteMet(missionId: string, { assignments }: Pick<AccountContext, 'assignments'>): boolean {
  return isMissionComplete(missionId, assignments);
}

/** Whether events that occur at an instant count, as far as the mission's days and times of day go. */
export function isWithinHours(
  { hours }: MissionPlan,
  { calendar }: Pick<AccountContext, 'calendar'>,
  instant: Timestamp,
): boolean {
  return hours === undefined || isOpenAt(hours, zoneOf(calendar, instant), instant);
}
