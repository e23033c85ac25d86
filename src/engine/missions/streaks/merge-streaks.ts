import type { PeriodsOfAccount } from '../../account-context.ts';
import type { AssignmentState, PeriodSums, Run, StreakDetail } from '../../assignment.ts';
import { periodAt } from '../../time/calendar.ts';
import { combinedSums, sumOf } from '../../time/period-sums.ts';
import type { PeriodNumber } from '../../time/period.ts';
import { mergedLimits } from '../limits.ts';
import { commonOf, type MergeOfType, type MergeRules } from '../merge.ts';
import { newMilestones } from '../milestones.ts';
import type { MissionPlan } from '../mission-plan.ts';
import { oldestReversible } from '../reverse.ts';
import { milestoneOf, reachedBy, withPeriod } from './streak-progress.ts';
import { emptyStreak, missedBetween, rulesOf, settle, settledThrough, type StreakRules } from './streak-run.ts';

/**
 * Combines two streaks: each open period by the rules of the merge, and before them the longer of the runs that still live, with the fewer
 * grace periods left.
 */
export const mergeStreaks: MergeOfType = (plan, one, other, rules) => {
  const { calendar, how, now, before = { from: rules, into: rules } } = rules;
  const details = [one, other].map(({ detail }) => detail?.streak ?? emptyStreak(plan));
  // Nothing that happened before a restored run reaches it.
  const oldest = Math.max(oldestReversible(plan, calendar, now), ...details.map((each) => settledThrough(each) + 1));
  const own = rulesOf(plan, rules, now);
  const [first, second] = [before.from, before.into].map((account, index) =>
    closedBefore(rulesOf(plan, account, now), details[index]!, oldest),
  );
  const goal = Number(plan.perPeriodTarget);
  const settled = longerOf(first!.settled, second!.settled);
  const through = Math.max(settledThrough(first!), settledThrough(second!));
  let streak: StreakDetail = {
    settled,
    open: [],
    ...(through > (settled.lastKept ?? -Infinity) && through > -Infinity && { dropped: through }),
  };
  for (const [period, sum] of combinedSums(sumsOf(first!), sumsOf(second!), how))
    streak = withPeriod(streak, period, sum, goal);
  const {
    isComplete: isReached,
    longest,
    ...reached
  } = reachedBy(own, streak, periodAt(plan.periodUnit, calendar, now));
  const wasComplete = one.status === 'COMPLETED' || other.status === 'COMPLETED';
  const isNew = isReached && !wasComplete;
  const isComplete = wasComplete || isNew;
  const further = (one.detail?.milestone ?? 0) >= (other.detail?.milestone ?? 0) ? one : other;
  const milestones = newMilestones(plan.milestones, further.detail, longest);
  return {
    rounds: isNew ? 1 : 0,
    milestones,
    assignment: {
      ...commonOf(one, other, rules, { isComplete, isNew }),
      progress: isComplete ? plan.target : reached.progress,
      target: plan.target,
      status: isComplete ? 'COMPLETED' : 'ACTIVE',
      detail: { ...mergedLimits(plan, one, other, how), ...milestoneOf(further, milestones), streak },
    },
  };
};

/**
 * A streak before the freezes and vacations of another account join: its run as its account has it when the first open period begins. The
 * other account bridges no gap of it.
 */
export function closeStreak(
  plan: MissionPlan,
  state: AssignmentState,
  account: PeriodsOfAccount,
  { calendar, now }: Pick<MergeRules, 'calendar' | 'now'>,
): AssignmentState {
  const streak = state.detail?.streak;
  if (streak === undefined || state.status === 'COMPLETED') return state;
  const rules = rulesOf(plan, account, now);
  const oldest = Math.max(oldestReversible(plan, calendar, now), settledThrough(streak) + 1);
  const closed = closedBefore(rules, streak, oldest);
  return closed === streak ? state : { ...state, detail: { ...state.detail, streak: closed } };
}

/** A streak whose run is judged as of the beginning of a period, and depends on no earlier one any more. */
function closedBefore(rules: StreakRules, streak: StreakDetail, period: PeriodNumber): StreakDetail {
  const past = settle(rules, streak, period);
  const { settled, dropped: _, ...others } = past;
  if (settled.lastKept === null || settled.lastKept >= period - 1) return past;
  const left = settled.freezesLeft - missedBetween(rules, settled, period);
  if (settled.current > 0 && left >= 0)
    return { ...others, settled: { ...settled, freezesLeft: left, lastKept: period - 1 } };
  const run = { current: 0, longest: settled.longest, freezesLeft: rules.plan.gracePeriods, lastKept: null };
  return { ...others, settled: run, dropped: settledThrough(past) };
}

/** The sums of open periods, with what is beyond their goal. */
function sumsOf({ open, surplus = [] }: StreakDetail): PeriodSums {
  return open.map(([period, sum]) => [period, sum + sumOf(surplus, period)]);
}

/** The run of both at the beginning of a period. */
function longerOf(one: Run, other: Run): Run {
  const longest = Math.max(one.longest, other.longest);
  if (one.current === 0 || other.current === 0) return { ...(one.current > 0 ? one : other), longest };
  const freezesLeft = Math.min(one.freezesLeft, other.freezesLeft);
  return { ...(one.current > other.current ? one : other), longest, freezesLeft };
}
