import type { Timestamp } from '../../kernel/time/timestamp.ts';
import { memberSince } from '../admission.ts';
import type { AccountContext } from '../account-context.ts';
import type { AssignmentState } from '../assignment.ts';
import { deadlineOf, detailOf } from './accumulate.ts';
import type { MissionPlan } from './mission-plan.ts';
import { missionTypes } from './mission-types.ts';

/** Whether the target of a mission may become lower while it is offered: its assignments keep one sum, and pay once. */
export function canLowerTarget({ type, roundsMax }: Pick<MissionPlan, 'type' | 'roundsMax'>): boolean {
  return missionTypes[type].canLowerTarget && roundsMax === 1;
}

/**
 * The completed assignment of an account whose progress has reached a target that was lowered; undefined if it has not, or if no event of
 * `now` could count for it.
 */
export function completeReached(
  plan: MissionPlan,
  account: AccountContext,
  now: Timestamp,
): AssignmentState | undefined {
  const before = account.assignments.get(plan.missionId);
  if (before === undefined || before.status === 'COMPLETED' || before.progress < plan.target) return undefined;
  if (!canLowerTarget(plan) || !isOpen(plan, account, before.startedAt, now)) return undefined;
  const surplus = before.progress - plan.target;
  return {
    ...before,
    progress: plan.target,
    target: plan.target,
    status: 'COMPLETED',
    completedAt: now,
    completionOccurredAt: now,
    detail: detailOf(plan, before.detail, 1, surplus),
  };
}

/** Whether the mission is offered to the account at `now`. */
function isOpen(plan: MissionPlan, account: AccountContext, startedAt: Timestamp, now: Timestamp): boolean {
  const { campaign, opensAt, closesAt } = plan;
  if (campaign !== undefined && campaign.status !== 'ACTIVE') return false;
  return opensAt <= now && now < closesAt && now < deadlineOf(plan, startedAt) && memberSince(plan, account) <= now;
}

/**
 * An assignment under the present target. One that was completed at a higher target has reached the lower one, and its sum is kept beside:
 * a reversal takes the sum back first.
 */
export function underTarget(state: AssignmentState): AssignmentState {
  const { status, progress, target, detail } = state;
  if (status !== 'COMPLETED' || progress <= target) return state;
  return {
    ...state,
    progress: target,
    detail: { ...detail, surplus: (detail?.surplus ?? 0) + Number(progress - target) },
  };
}
