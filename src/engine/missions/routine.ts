import { ONE } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import { accumulate, type Advance } from './accumulate.ts';
import { assignmentId, NO_PERIOD, type AssignmentState } from '../assignment.ts';
import type { UncountedReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan } from './mission-plan.ts';
import { type Calendar, periodAt } from '../time/calendar.ts';
import { periodKey } from '../time/period.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** Adds an event to the assignment of the period in which it occurred. */
export function advanceRoutine(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): Advance | UncountedReason {
  return accumulate(plan, account, routineKeyAt(plan, account.calendar, event.occurredAt), event, now);
}

/** The key of the assignment that a ROUTINE has at an instant. */
export function routineKeyAt(plan: MissionPlan, calendar: Calendar, instant: Timestamp): string {
  return periodKey(plan.periodUnit, periodAt(plan.periodUnit, calendar, instant));
}

/**
 * The whole routine with one more completed period; undefined for a routine that never ends. Its progress and target are numbers of
 * periods.
 */
export function countOccurrence(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): AssignmentState | undefined {
  if (plan.occurrences === undefined) return undefined;
  const before = account.assignments.get(plan.missionId);
  const progress = (before?.progress ?? 0n) + ONE;
  const target = BigInt(plan.occurrences) * ONE;
  const isComplete = progress >= target;
  return {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, NO_PERIOD),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey: NO_PERIOD,
    progress,
    target,
    status: isComplete ? 'COMPLETED' : 'ACTIVE',
    startedAt: before?.startedAt ?? event.occurredAt,
    completedAt: isComplete ? now : undefined,
    completionOccurredAt: isComplete ? event.occurredAt : undefined,
  };
}
