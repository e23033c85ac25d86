import type { Amount } from '../../kernel/amount.ts';
import type { AccountContext } from '../account-context.ts';
import { assignmentId, assignmentKey, type AssignmentDetail, type AssignmentState } from '../assignment.ts';
import { countedPart } from './limits.ts';
import type { CountedInPeriod, UncountedReason, LostRun } from '../decision.ts';
import type { GameEvent } from '../game-event.ts';
import type { MissionPlan } from './mission-plan.ts';
import type { Milestone } from './mission-rule.ts';
import { instantAfter } from '../time/interval.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';

/** One assignment before and after an event. */
export type Advance = {
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  /** The times that the event reached the target: 0 or 1, or more for a mission that repeats. */
  readonly rounds: number;
  readonly lostRun?: LostRun;
  /** The milestones that the event was the first to reach; absent without any. */
  readonly milestones?: readonly Milestone[];
  /** The part of the event that counted, for a reversal of it. */
  readonly counted: CountedInPeriod;
};

/**
 * Adds an event to the assignment of one period, or to the only assignment of a mission. Each multiple of the target completes a round.
 * Progress continues with the surplus, and stops at the target in the last round.
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
  const completionsBefore = before?.detail?.completions ?? 0;
  const roundsLeft = plan.roundsMax - completionsBefore;
  const rounds = sum < plan.target ? 0 : Math.min(Number(sum / plan.target), roundsLeft);
  const isOver = rounds === roundsLeft;
  const assignment: AssignmentState = {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, periodKey),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey,
    progress: isOver ? plan.target : sum - BigInt(rounds) * plan.target,
    target: plan.target,
    status: isOver ? 'COMPLETED' : 'ACTIVE',
    startedAt: before?.startedAt ?? event.occurredAt,
    completedAt: rounds > 0 ? now : before?.completedAt,
    completionOccurredAt: before?.completionOccurredAt ?? (rounds > 0 ? event.occurredAt : undefined),
    detail: detailOf(
      plan,
      before?.detail?.reversed ? { ...part.detail, reversed: true } : part.detail,
      completionsBefore + rounds,
      isOver ? sum - BigInt(rounds) * plan.target : 0n,
    ),
  };
  return { previousProgress, assignment, rounds, counted: { amount: part.amount, period: part.period } };
}

/**
 * The state beside the progress; undefined if there is none, as for most events.
 * @param others the state of limits and reversals; undefined for none
 */
export function detailOf(
  { roundsMax }: Pick<MissionPlan, 'roundsMax'>,
  others: AssignmentDetail | undefined,
  completions: number,
  surplus: Amount,
): AssignmentDetail | undefined {
  if (roundsMax === 1 && surplus === 0n) return others;
  return {
    ...others,
    ...(roundsMax > 1 && { completions }),
    ...(surplus > 0n && { surplus: Number(surplus) }),
  };
}

/** The part of an assignment's state that says that a completion was reversed; later events keep it. */
export function reversedOf(state: Pick<AssignmentState, 'detail'> | undefined): Pick<AssignmentDetail, 'reversed'> {
  return state?.detail?.reversed ? { reversed: true } : {};
}

/** The end of a CHALLENGE that began at `startedAt`; `Infinity` without `durationDays`, and during a pause. */
export function deadlineOf({ durationMs, campaign }: MissionPlan, startedAt: Timestamp): Timestamp {
  return durationMs === Infinity ? Infinity : instantAfter(startedAt, durationMs, campaign?.pauses ?? []);
}
