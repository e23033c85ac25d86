import { ONE } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import { accumulate, type Advance } from './accumulate.ts';
import { assignmentId, assignmentKey, NO_PERIOD, type AssignmentState } from '../assignment.ts';
import type { UncountedReason } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan, TakenPart } from './mission-plan.ts';
import { type MissionReversal, oldestReversible, reverseAccumulated, reverseOccurrence } from './reverse.ts';
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
  const period = periodAt(plan.periodUnit, account.calendar, event.occurredAt);
  const advance = accumulate(plan, account, periodKey(plan.periodUnit, period), event, now);
  return typeof advance === 'string' ? advance : { ...advance, counted: { ...advance.counted, period } };
}

/**
 * Takes a part of an event from its period of a ROUTINE, and the period from the count of the whole routine if it is not completed any more.
 * @returns undefined if the period is over: it stays as it was
 */
export function reverseRoutine(
  plan: MissionPlan,
  { assignments, calendar }: Pick<AccountContext, 'assignments' | 'calendar'>,
  taken: TakenPart,
  now: Timestamp,
): readonly MissionReversal[] {
  const { periodUnit, missionId } = plan;
  const period = taken.period!;
  const before = assignments.get(assignmentKey(missionId, periodKey(periodUnit, period)));
  const isOver = !taken.wasBackfilled && period < oldestReversible(plan, calendar, now);
  if (before === undefined || isOver) return [];
  const reversal = reverseAccumulated(plan, before, taken);
  const whole = assignments.get(missionId);
  if (reversal.roundsLost === 0 || whole === undefined) return [reversal];
  return [reversal, reverseOccurrence(whole)];
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
    detail: before?.detail,
  };
}
