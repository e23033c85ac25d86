import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import { assignmentId, assignmentKey, type AssignmentState } from '../assignment.ts';
import { countedPart } from './limits.ts';
import type { UncountedReason, LostRun } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan } from './mission-plan.ts';
import { instantAfter } from '../time/interval.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** One assignment before and after an event. */
export type Advance = {
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  readonly lostRun?: LostRun;
};

/**
 * Adds an event to the assignment of one period, or to the only assignment of a mission. Progress stops at the target.
 * @param periodKey the key of that period, or `NO_PERIOD`
 */
export function accumulate(
  plan: MissionPlan,
  account: AccountContext,
  periodKey: string,
  event: GameEvent,
  now: Timestamp,
): Advance | UncountedReason {
  const before = account.assignments.get(assignmentKey(plan.missionId, periodKey));
  if (before?.status === 'COMPLETED') return 'ALREADY_COMPLETED';
  if (before !== undefined && event.occurredAt >= deadlineOf(plan, before.startedAt)) return 'EXPIRED';
  const part = countedPart(plan, account.calendar, event, before?.detail, now);
  if (typeof part === 'string') return part;

  const previousProgress = before?.progress ?? 0n;
  const sum = previousProgress + part.amount;
  const isComplete = sum >= plan.target;
  const assignment: AssignmentState = {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, periodKey),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey,
    progress: isComplete ? plan.target : sum,
    target: plan.target,
    status: isComplete ? 'COMPLETED' : 'ACTIVE',
    startedAt: before?.startedAt ?? event.occurredAt,
    completedAt: isComplete ? now : undefined,
    completionOccurredAt: isComplete ? event.occurredAt : undefined,
    detail: part.detail,
  };
  return { previousProgress, assignment };
}

/** The end of a CHALLENGE that began at `startedAt`; `Infinity` without `durationDays`, and during a pause. */
export function deadlineOf({ durationMs, campaign }: MissionPlan, startedAt: Timestamp): Timestamp {
  return durationMs === Infinity ? Infinity : instantAfter(startedAt, durationMs, campaign?.pauses ?? []);
}
