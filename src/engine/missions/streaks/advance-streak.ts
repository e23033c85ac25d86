import { ONE } from '../../../kernel/amount.ts';
import type { Timestamp } from '../../../kernel/time/timestamp.ts';
import type { AccountContext } from '../../account-context.ts';
import { assignmentId, type AssignmentState, NO_PERIOD, type StreakDetail } from '../../assignment.ts';
import type { LostRun, UncountedReason } from '../../decision.ts';
import { type GameEvent, judgedAt } from '../../game-event.ts';
import { type Calendar, oldestOpenPeriod, periodAt } from '../../time/calendar.ts';
import { sumOf } from '../../time/period-sums.ts';
import { periodKey, type PeriodNumber } from '../../time/period.ts';
import { type Advance, reversedOf } from '../accumulate.ts';
import { countedPart } from '../limits.ts';
import { newMilestones } from '../milestones.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { oldestReversible } from '../reverse.ts';
import { milestoneOf, reachedBy, withPeriod } from './streak-progress.ts';
import { emptyStreak, replay, rulesOf, runAt, settle, settledThrough, type StreakRules } from './streak-run.ts';

/**
 * Adds an event to its period of a STREAK. A period that reaches `perPeriodTarget` is kept; the streak completes once a run
 * of kept periods reaches the target.
 */
export function advanceStreak(
  plan: MissionPlan,
  account: AccountContext,
  event: GameEvent,
  now: Timestamp,
): Advance | UncountedReason {
  const { calendar } = account;
  const before = account.assignments.get(plan.missionId);
  const judged = judgedAt(event, now);
  const oldest = oldestOpenPeriod(plan.periodUnit, calendar, judged);
  const rules = rulesOf(plan, account, judged);
  const streak = settle(rules, before?.detail?.streak ?? emptyStreak(plan), oldestReversible(plan, calendar, judged));
  const period = periodAt(plan.periodUnit, calendar, event.occurredAt);
  if (period < oldest || period <= settledThrough(streak)) return 'TOO_LATE';

  const sum = sumOf(streak.open, period);
  const goal = Number(plan.perPeriodTarget);
  if (sum >= goal) return 'PERIOD_KEPT';
  const part = countedPart(plan, calendar, event, before?.detail, now);
  if (typeof part === 'string') return part;

  const grown = withPeriod(streak, period, sum + Number(part.amount), goal);
  const { isComplete, longest, ...reached } = reachedBy(rules, grown, periodAt(plan.periodUnit, calendar, judged));
  const milestones = newMilestones(plan.milestones, before?.detail, longest);
  const assignment: AssignmentState = {
    id: before?.id ?? assignmentId(plan.missionId, account.accountId, NO_PERIOD),
    missionId: plan.missionId,
    accountId: account.accountId,
    periodKey: NO_PERIOD,
    target: plan.target,
    ...reached,
    startedAt: before?.startedAt ?? event.occurredAt,
    completedAt: isComplete ? now : undefined,
    completionOccurredAt: isComplete ? event.occurredAt : undefined,
    detail: { ...part.detail, ...reversedOf(before), ...milestoneOf(before, milestones), streak: grown },
  };
  const seen = runAt(plan, before, account, judged);
  const lost = seen.current === 0 ? lostRun(rules, streak, period, calendar) : undefined;
  const rounds = isComplete ? 1 : 0;
  const counted = { amount: part.amount, period };
  return {
    previousProgress: BigInt(seen.current) * ONE,
    ...{ assignment, rounds, counted },
    ...(lost && { lostRun: lost }),
    ...(milestones.length > 0 && { milestones }),
  };
}

/** The run of a streak that has ended; undefined if none had begun. */
function lostRun(
  rules: StreakRules,
  streak: StreakDetail,
  period: PeriodNumber,
  calendar: Calendar,
): LostRun | undefined {
  const { current, lastKept } = replay(rules, streak);
  if (current === 0 || lastKept === null) return undefined;
  const { periodUnit } = rules.plan;
  const names = { lastKept: periodKey(periodUnit, lastKept), period: periodKey(periodUnit, period) };
  return { periods: current, ...names, timeZone: calendar.timeZone };
}
