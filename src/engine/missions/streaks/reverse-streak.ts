import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import type { AccountContext, PeriodsOfAccount } from '../../account-context.ts';
import { periodAt } from '../../time/calendar.ts';
import { sumOf } from '../../time/period-sums.ts';
import { reversedLimits } from '../limits.ts';
import { milestoneReachedBy } from '../milestones.ts';
import type { MissionPlan, TakenPart } from '../mission-plan.ts';
import { type MissionReversal, oldestReversible } from '../reverse.ts';
import { reachedBy, withPeriod } from './streak-progress.ts';
import { emptyStreak, rulesOf, settle, settledThrough } from './streak-run.ts';

/**
 * Takes a part of an event from its period of a STREAK, and judges the streak again from the earliest reversible period on.
 * @returns none if the period is over: it stays as it was
 */
export function reverseStreak(
  plan: MissionPlan,
  account: Pick<AccountContext, 'assignments'> & PeriodsOfAccount,
  taken: TakenPart,
  now: Timestamp,
): readonly MissionReversal[] {
  const { assignments, calendar } = account;
  const period = taken.period!;
  const before = assignments.get(plan.missionId);
  const reachable = oldestReversible(plan, calendar, now);
  const oldest = taken.wasBackfilled ? Math.min(reachable, period) : reachable;
  const rules = rulesOf(plan, account, now);
  const streak = settle(rules, before?.detail?.streak ?? emptyStreak(plan), oldest);
  if (before === undefined || period < oldest || period <= settledThrough(streak)) return [];
  const goal = Number(plan.perPeriodTarget);
  const sum = sumOf(streak.open, period) + sumOf(streak.surplus ?? [], period) - Number(taken.amount);
  // A merge by MAX keeps less than the sum of both.
  const left = withPeriod(streak, period, Math.max(0, sum), goal);
  const { isComplete, longest, ...reached } = reachedBy(rules, left, periodAt(plan.periodUnit, calendar, now));
  const isLost = before.status === 'COMPLETED' && !isComplete;
  const { milestone = 0, ...detail } = reversedLimits(plan, before.detail, taken) ?? {};
  const milestoneLeft = Math.min(milestone, milestoneReachedBy(plan.milestones, longest));
  const losesMilestone = milestoneLeft < milestone;
  return [
    {
      previousProgress: before.progress,
      roundsLost: isLost ? 1 : 0,
      roundsLeft: isComplete ? 1 : 0,
      ...(losesMilestone && { milestoneLeft }),
      assignment: {
        ...before,
        ...reached,
        completedAt: isComplete ? before.completedAt : undefined,
        completionOccurredAt: isComplete ? before.completionOccurredAt : undefined,
        detail: {
          ...detail,
          ...(milestoneLeft > 0 && { milestone: milestoneLeft }),
          ...((isLost || losesMilestone) && { reversed: true }),
          streak: left,
        },
      },
    },
  ];
}
