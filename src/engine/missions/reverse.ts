import { type Amount, ONE } from '../../kernel/amount.ts';
import { DAY, type Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentDetail, AssignmentState } from '../assignment.ts';
import { type Calendar, oldestOpenPeriod, periodAt } from '../time/calendar.ts';
import type { PeriodNumber } from '../time/period.ts';
import { detailOf } from './accumulate.ts';
import { reversedLimits } from './limits.ts';
import type { MissionPlan, TakenPart } from './mission-plan.ts';

/** An assignment before and after a reversal. The count of a whole ROUTINE pays no rewards, so its lost round costs none. */
export type MissionReversal = {
  readonly previousProgress: Amount;
  readonly assignment: AssignmentState;
  /** The rounds that are not completed any more: 0 or 1, or more for a mission that repeats. */
  readonly roundsLost: number;
  /** The rounds that are still completed. */
  readonly roundsLeft: number;
  /** The longest milestone that is still reached, 0 for none, if others are not reached any more. Absent if none is lost. */
  readonly milestoneLeft?: number;
};

/** The days after which a reversal does not reach a period of a mission that is STRICT. */
const STRICT_DAYS = 90;

/** The oldest period of a series that a reversal reaches: the oldest open one, or for a STRICT mission that of 90 days ago. */
export function oldestReversible(
  { periodUnit, isStrict }: Pick<MissionPlan, 'periodUnit' | 'isStrict'>,
  calendar: Calendar,
  now: Timestamp,
): PeriodNumber {
  const open = oldestOpenPeriod(periodUnit, calendar, now);
  return isStrict ? Math.min(open, periodAt(periodUnit, calendar, now - STRICT_DAYS * DAY)) : open;
}

/** The sum of an assignment: what all its events added, including the surplus of the last round, less what was reversed. */
export function sumOfAssignment(
  { roundsMax }: Pick<MissionPlan, 'roundsMax'>,
  { progress, target, status, detail }: Pick<AssignmentState, 'progress' | 'target' | 'status' | 'detail'>,
): Amount {
  if (status === 'COMPLETED') return BigInt(roundsMax) * target + BigInt(detail?.surplus ?? 0);
  return BigInt(detail?.completions ?? 0) * target + progress;
}

/**
 * Takes a part of an event from the assignment of a MISSION, a CHALLENGE or a period of a ROUTINE. Rounds, progress and status follow from
 * the remaining sum alone.
 */
export function reverseAccumulated(
  plan: Pick<MissionPlan, 'roundsMax' | 'states'>,
  before: AssignmentState,
  taken: TakenPart,
): MissionReversal {
  const { roundsMax } = plan;
  const { target } = before;
  const total = sumOfAssignment(plan, before);
  // Progress that an import or an earlier release set may be less than what the event added.
  const sum = taken.amount < total ? total - taken.amount : 0n;
  const completed = completionsOf(plan, before);
  // The sum may have reached a target that was lowered: what a reversal leaves completes nothing.
  const completions = sum >= BigInt(completed) * target ? completed : Number(sum / target);
  const isOver = completions === roundsMax;
  const rest = sum - BigInt(completions) * target;
  const { surplus: _, ...others } = reversedLimits(plan, before.detail, taken) ?? {};
  const roundsLost = completed - completions;
  const kept = roundsLost > 0 ? { ...others, reversed: true as const } : others;
  return {
    previousProgress: before.progress,
    roundsLost,
    roundsLeft: completions,
    assignment: {
      ...before,
      progress: isOver ? target : rest,
      status: isOver ? 'COMPLETED' : 'ACTIVE',
      completedAt: completions === 0 ? undefined : before.completedAt,
      completionOccurredAt: completions === 0 ? undefined : before.completionOccurredAt,
      detail: detailOf(plan, isEmpty(kept) ? undefined : kept, completions, isOver ? rest : 0n),
    },
  };
}

function isEmpty(detail: AssignmentDetail): boolean {
  return Object.keys(detail).length === 0;
}

/** The whole ROUTINE with one completed period less. */
export function reverseOccurrence(before: AssignmentState): MissionReversal {
  const isLost = before.status === 'COMPLETED';
  return {
    previousProgress: before.progress,
    roundsLost: isLost ? 1 : 0,
    roundsLeft: 0,
    assignment: {
      ...before,
      ...(isLost && { detail: { reversed: true } }),
      progress: before.progress - ONE,
      status: 'ACTIVE',
      completedAt: undefined,
      completionOccurredAt: undefined,
    },
  };
}

/** The completed rounds of an assignment. */
export function completionsOf(
  { roundsMax }: Pick<MissionPlan, 'roundsMax'>,
  { status, detail }: Pick<AssignmentState, 'status' | 'detail'>,
): number {
  return status === 'COMPLETED' ? roundsMax : (detail?.completions ?? 0);
}
