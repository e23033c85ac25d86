import { ONE } from '../../../kernel/amount.ts';
import type { AssignmentDetail, AssignmentState, StreakDetail } from '../../assignment.ts';
import { withSum } from '../../time/period-sums.ts';
import type { PeriodNumber } from '../../time/period.ts';
import type { Milestone } from '../mission-rule.ts';
import { runAsOf, type StreakRules } from './streak-run.ts';

/** A streak with the sum of one open period: up to its goal, and the surplus beyond it. */
export function withPeriod(streak: StreakDetail, period: PeriodNumber, sum: number, goal: number): StreakDetail {
  const { surplus: before = [], ...others } = streak;
  const rest = before.filter(([other]) => other !== period);
  const surplus = sum > goal ? withSum(rest, period, sum - goal) : rest;
  return {
    ...others,
    open: withSum(streak.open, period, Math.min(goal, sum)),
    ...(surplus.length > 0 && { surplus }),
  };
}

/** The progress and the status of a streak in the present period. */
export function reachedBy(rules: StreakRules, streak: StreakDetail, present: PeriodNumber) {
  const { target } = rules.plan;
  const run = runAsOf(rules, streak, present);
  const isComplete = BigInt(run.longest) * ONE >= target;
  const progress = isComplete ? target : BigInt(run.current) * ONE;
  return { isComplete, longest: run.longest, progress, status: isComplete ? 'COMPLETED' : 'ACTIVE' } as const;
}

/** The part of an assignment's state that has its longest milestone. @param reached those that are reached now */
export function milestoneOf(
  before: Pick<AssignmentState, 'detail'> | undefined,
  reached: readonly Milestone[],
): Pick<AssignmentDetail, 'milestone'> {
  const milestone = reached.at(-1)?.length ?? before?.detail?.milestone;
  return milestone === undefined ? {} : { milestone };
}
